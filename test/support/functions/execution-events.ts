import { takeEvent as entry } from '../../../functions/execution-events/take-event.ts';
import { inRole } from '../roles.ts';

export const takeEvent = inRole('execution-events', entry);
