import { deliverBulk as entry } from '../../../shared/deliveries/bulk/deliver-bulk.ts';
import { inRole } from '../roles.ts';

export const deliverBulk = inRole('deliver-bulk', entry);
