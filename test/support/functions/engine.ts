import { takeEngineEvent as entry } from '../../../functions/engine/take-event.ts';
import { inRole } from '../roles.ts';

export const takeEngineEvent = inRole('engine', entry);
