import type { Lease } from '../../../shared/data/backtests/leases.ts';
import type { TrackRecord } from '../../../shared/data/strategies/track-records.ts';
import type { Runtime } from '../../../shared/runtime.ts';

/** A track record that this worker holds. */
export interface HeldRecord {
  readonly runtime: Runtime;
  readonly lease: Lease;
  readonly record: TrackRecord;
}
