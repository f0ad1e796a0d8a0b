import { takeRequest as entry } from '../../../shared/broker-orders/take-request.ts';
import { inRole } from '../roles.ts';

export const takeRequest = inRole('broker-orders', entry);
