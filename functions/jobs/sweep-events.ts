import { findDueDeliveries } from '../../shared/data/outbox/deliveries.ts';
import { NewerRecordError } from '../../shared/data/table/newer-record.ts';
import { deliverBy, type Send } from '../../shared/deliveries/attempt.ts';
import { DeliveryRefusedError, NewerMessageError } from '../../shared/deliveries/failures.ts';
import { MalformedEventError } from '../../shared/domain/malformed-event.ts';
import { NewerEventError } from '../../shared/lifecycle/reports/parse-event.ts';
import { takeEvent } from '../../shared/lifecycle/reports/take-report.ts';
import { valueOrder } from '../../shared/lifecycle/reports/value-order.ts';
import { dueJob } from './due-job.ts';

/**
 * Takes an event that waited for a version that understands it.
 *
 * @throws NewerMessageError where it still has to wait, DeliveryRefusedError where it turns out to be malformed
 */
const send: Send = async (runtime, { message }) => {
  if (message?.kind !== 'execution_event')
    throw new NewerMessageError('of a kind that this version does not know');
  try {
    await takeEvent(runtime, JSON.parse(message.event), { valueOrder });
    return true;
  } catch (error) {
    if (error instanceof NewerEventError || error instanceof NewerRecordError)
      throw new NewerMessageError(error.message);
    if (error instanceof MalformedEventError) throw new DeliveryRefusedError(error.message);
    throw error;
  }
};

const deliverEvent = deliverBy(send);

/** Takes events that only a newer version understood when they arrived. */
export const sweepEvents = dueJob({
  name: 'sweep-events',
  summary: 'Takes events that waited for a version that understands them',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: [],
  find: ({ store, clock }, limit, onDamaged) => findDueDeliveries(store, 'events', clock(), limit, onDamaged),
  attend: (runtime, { delivery_id, attempts }) => deliverEvent(runtime, delivery_id, attempts),
  nameOf: ({ delivery_id }) => delivery_id,
  page: 200,
  called: 'events',
});
