import { takeRequest as entry } from '../../../functions/execution/orders/take-request.ts';
import { inRole } from '../roles.ts';

export const takeRequest = inRole('execution-orders', entry);
