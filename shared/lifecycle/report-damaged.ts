import { readSwitch } from '../data/switches/switch-changes.ts';
import type { DamagedItemError } from '../data/table/damaged-items.ts';
import type { Runtime } from '../runtime.ts';

/** Line of the log for each minute in which the switch of the service is thrown. A metric counts it. */
export const SERVICE_STOPPED = 'the kill switch of the service is thrown';

/** Logs whether the kill switch of the service is thrown, so that operators see it all the time. */
export const reportThrown = async ({ store, log }: Runtime): Promise<void> => {
  const found = await readSwitch(store, { level: 'service' });
  const holds = Object.values(found?.holds ?? {});
  const since = holds.map(({ at }) => at).sort()[0];
  if (since !== undefined) log.warn(SERVICE_STOPPED, { since });
};

/** Line of the log for each record that cannot be read. An alarm counts them. */
export const RECORD_DAMAGED = 'a record cannot be read';

/** Logs and counts a record that cannot be read, by its place and problems. */
export const reportDamaged = (
  { log, metrics }: Pick<Runtime, 'log' | 'metrics'>,
  { message }: DamagedItemError,
  dimension: { readonly operation: string },
): void => {
  log.error(RECORD_DAMAGED, { ...dimension, record: message });
  metrics.count('RecordsDamaged', dimension);
};
