import type { Runtime } from '../../runtime.ts';
import { parseEvent } from './parse-event.ts';
import { type Means, takeReport } from './take-report.ts';

/**
 * Takes the report of an event of the bus.
 *
 * @throws NewerEventError for one that only a newer version understands.
 * @throws MalformedEventError for one that no retry makes good.
 */
export const takeEvent = async (runtime: Runtime, raw: unknown, means?: Means): Promise<void> =>
  takeReport(runtime, parseEvent(raw), means);
