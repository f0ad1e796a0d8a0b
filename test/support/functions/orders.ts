import { deliverOrder as entry } from '../../../shared/deliveries/orders/deliver-order.ts';
import { inRole } from '../roles.ts';

export const deliverOrder = inRole('deliver-orders', entry);
