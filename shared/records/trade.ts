import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../api/fields.ts';
import type { StoredTrade } from '../data/books/trades.ts';
import { TRADE_MODES } from '../data/deployments/trading-record.ts';
import { decimal, shownFigure, shownPrice, toMoney } from '../domain/money.ts';
import { number } from './amounts.ts';

/** Closed trade, as its owner sees it. */
export const deploymentTrade = extensionRecord(
  'DeploymentTrade',
  z.object({
    trade_number: integer(),
    deployment_id: integer(),
    strategy_id: integer(),
    mode: z.enum(TRADE_MODES),
    symbol: z.string(),
    side: z.enum(['long', 'short']),
    quantity: z.number(),
    entry_price: z.number(),
    exit_price: z.number(),
    gross_pnl: z.number(),
    fees: z.number(),
    swap: z.number(),
    net_pnl: z.number(),
    return_pct: z.number().nullable(),
    currency: z.string(),
    opened_at: timestamp(),
    closed_at: timestamp(),
    duration_s: z.number(),
    client_order_id: z.string(),
  }),
);

/** Returns the net result in percent of the value at the entry; null for a value of zero. */
const returnOf = ({ net, entry_value }: StoredTrade): number | null => {
  const value = decimal(entry_value);
  return value.eq(0) ? null : shownFigure(decimal(net).div(value).times(100).toNumber());
};

/** Presents a closed trade. Records of other readers pick from these fields. */
export const presentTrade = (trade: StoredTrade): z.output<typeof deploymentTrade> => ({
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
  return_pct: returnOf(trade),
  currency: trade.currency,
  opened_at: trade.opened_at,
  closed_at: trade.closed_at,
  duration_s: trade.duration_s,
  client_order_id: trade.client_order_id,
});
