import { deliver as entry } from '../../../functions/deliveries/deliver.ts';
import { inRole } from '../roles.ts';

export const deliver = inRole('deliveries', entry);
