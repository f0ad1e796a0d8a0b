import { ordersHandler } from '../../shared/broker-orders/orders-handler.ts';
import { binance } from '../../shared/channels/execution/binance/binance.ts';

export const handler = ordersHandler(binance);
