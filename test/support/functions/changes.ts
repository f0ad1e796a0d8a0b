import { moveChanges as entry } from '../../../shared/deliveries/changes/move-changes.ts';
import { inRole } from '../roles.ts';

export const moveChanges = inRole('deliver-changes', entry);
