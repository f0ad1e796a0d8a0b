import { deliverBulk as entry } from '../../../functions/bulk-deliveries/deliver-bulk.ts';
import { inRole } from '../roles.ts';

export const deliverBulk = inRole('bulk-deliveries', entry);
