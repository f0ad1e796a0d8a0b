import { takeOrKeepEvent as takeOrKeepEventEntry } from '../../../functions/execution-events/keep-event.ts';
import { takeEvent as takeEventEntry } from '../../../shared/lifecycle/reports/take-report.ts';
import { inRole } from '../roles.ts';

export const takeEvent = inRole('execution-events', takeEventEntry);
export const takeOrKeepEvent = inRole('execution-events', takeOrKeepEventEntry);
