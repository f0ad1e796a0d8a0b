import { createHash } from 'node:crypto';
import { putInOutbox } from '../../shared/data/outbox/outbox.ts';
import { NewerRecordError } from '../../shared/data/table/newer-record.ts';
import { TransactionRefusedError } from '../../shared/data/table/store.ts';
import { NewerEventError } from '../../shared/lifecycle/reports/parse-event.ts';
import type { Means } from '../../shared/lifecycle/reports/take-report.ts';
import { takeEvent } from '../../shared/lifecycle/reports/take-report.ts';
import { valueOrder } from '../../shared/lifecycle/reports/value-order.ts';
import type { Runtime } from '../../shared/runtime.ts';

/** Returns the id of an event. A repeat has the same. */
const idOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 32);

const keepEvent = async ({ store, clock, log, metrics }: Runtime, event: unknown): Promise<void> => {
  const text = JSON.stringify(event);
  const deliveryId = idOf(text);
  try {
    await putInOutbox(store, deliveryId, { kind: 'execution_event', event: text }, clock());
  } catch (error) {
    // The event is already stored.
    if (!(error instanceof TransactionRefusedError)) throw error;
  }
  log.warn('an event waits for a newer version', { delivery_id: deliveryId });
  metrics.count('WaitsForNewerVersion', { operation: 'execution-events' });
};

/**
 * Takes an event of the bus, as {@link takeEvent} does, and values orders in other currencies. An event that only a
 * newer version understands goes to the outbox, which retries it until that version runs. The bus itself would drop it
 * within minutes.
 */
export const takeOrKeepEvent = async (
  runtime: Runtime,
  event: unknown,
  memories?: Pick<Means, 'memory' | 'instruments'>,
): Promise<void> => {
  try {
    await takeEvent(runtime, event, { ...memories, valueOrder });
  } catch (error) {
    if (!(error instanceof NewerEventError || error instanceof NewerRecordError)) throw error;
    await keepEvent(runtime, event);
  }
};
