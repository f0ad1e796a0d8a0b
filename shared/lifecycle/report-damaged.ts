import type { DamagedItemError } from '../data/table/damaged-items.ts';
import type { Runtime } from '../runtime.ts';

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
