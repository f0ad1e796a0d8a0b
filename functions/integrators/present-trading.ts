import type * as z from 'zod';
import type { StoredOrder, StoredTrade } from '../../shared/data/books/orders.ts';
import { decimal, shownPrice, toMoney } from '../../shared/domain/money.ts';
import { slippageOf } from '../../shared/domain/orders/slippage.ts';
import type { integratorSlippage, integratorTrade } from './trading-records.ts';

const number = (amount: string): number => decimal(amount).toNumber();

/** Presents the slippage of an order to the broker; undefined if the fill was corrected to none. */
export const presentSlippage = (order: StoredOrder): z.output<typeof integratorSlippage> | undefined => {
  const slippage = slippageOf(order);
  if (!slippage || order.first_filled_at === null) return undefined;
  const filled = order.status === 'filled' ? order.status_at : order.first_filled_at;
  return {
    order_id: order.order_id,
    deployment_id: order.deployment_id,
    strategy_id: order.strategy_id,
    mode: order.mode,
    symbol: order.symbol,
    side: order.side,
    quantity: number(order.filled_quantity),
    ...slippage,
    currency: order.currency,
    signal_at: new Date(order.created_at).toISOString(),
    filled_at: new Date(filled).toISOString(),
    latency_ms: Math.max(0, order.first_filled_at - order.created_at),
  };
};

/** Presents a closed trade to the broker. */
export const presentTrade = (trade: StoredTrade): z.output<typeof integratorTrade> => ({
  trade_number: trade.number,
  deployment_id: trade.deployment_id,
  strategy_id: trade.strategy_id,
  mode: trade.mode,
  symbol: trade.symbol,
  side: trade.side,
  quantity: number(trade.quantity),
  entry_price: shownPrice(trade.entry_average),
  exit_price: shownPrice(trade.exit_average),
  gross_pnl: toMoney(trade.gross, trade.currency),
  fees: toMoney(trade.fees, trade.currency),
  swap: toMoney(trade.swap, trade.currency),
  net_pnl: toMoney(trade.net, trade.currency),
  currency: trade.currency,
  opened_at: trade.opened_at,
  closed_at: trade.closed_at,
  duration_s: trade.duration_s,
});
