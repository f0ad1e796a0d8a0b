import { ordersHandler } from '../../shared/broker-orders/orders-handler.ts';
import { alpaca } from '../../shared/channels/execution/alpaca.ts';

export const handler = ordersHandler(alpaca);
