import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { DEPLOYMENT_STATUSES, isFinalDeploymentStatus } from '../../domain/deployments/deployment-states.ts';
import { add, decimal, decimalText, toText } from '../../domain/money.ts';
import { openRecord } from '../../domain/open-enum.ts';
import { ORDER_STATUSES } from '../../domain/orders/order-states.ts';
import { withUnknownOf } from '../../domain/unknown-fields.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Key, Write } from '../table/writes.ts';
import type { TradingSummary } from './summary.ts';

/** Totals of trading deployments of one currency and broker. */
export const totalsSchema = z.object({
  deployments: openRecord(DEPLOYMENT_STATUSES, z.int()),
  orders: openRecord(ORDER_STATUSES, z.int()),
  /** Number of ended deployments with a profit; `lost`: with a loss. */
  won: z.int(),
  lost: z.int(),
  trades: z.int(),
  wins: z.int(),
  fills: z.int(),
  realized_pnl: decimalText,
  gross: decimalText,
  fees: decimalText,
  swap: decimalText,
  lots: decimalText,
  traded_value: decimalText,
});

export type Totals = z.output<typeof totalsSchema>;

export const NO_TOTALS: Totals = {
  deployments: {},
  orders: {},
  won: 0,
  lost: 0,
  trades: 0,
  wins: 0,
  fills: 0,
  realized_pnl: '0',
  gross: '0',
  fees: '0',
  swap: '0',
  lots: '0',
  traded_value: '0',
};

/** Returns the contribution of one deployment to the totals. */
export const totalsOfOne = ({ status, orders, totals }: TradingSummary): Totals => {
  const result = decimal(totals.realized_pnl);
  const over = isFinalDeploymentStatus(status);
  return {
    deployments: { [status]: 1 },
    orders,
    won: over && result.gt(0) ? 1 : 0,
    lost: over && result.lt(0) ? 1 : 0,
    trades: totals.trades_count,
    wins: totals.wins,
    fills: totals.fills,
    realized_pnl: totals.realized_pnl,
    gross: totals.gross,
    fees: totals.fees,
    swap: totals.swap,
    lots: totals.lots,
    traded_value: totals.traded_value,
  };
};

const combineCounts = <K extends string>(
  left: Partial<Record<K, number>>,
  right: Partial<Record<K, number>>,
  names: readonly K[],
  sign: 1 | -1,
): Partial<Record<K, number>> => {
  const sums: Partial<Record<K, number>> = {};
  for (const name of names) {
    const sum = (left[name] ?? 0) + sign * (right[name] ?? 0);
    if (sum !== 0) sums[name] = sum;
  }
  return sums;
};

const combine = (left: Totals, right: Totals, sign: 1 | -1): Totals => {
  const amount = (name: 'realized_pnl' | 'gross' | 'fees' | 'swap' | 'lots' | 'traded_value') =>
    sign === 1 ? add(left[name], right[name]) : toText(decimal(left[name]).minus(right[name]));
  const count = (name: 'won' | 'lost' | 'trades' | 'wins' | 'fills') => left[name] + sign * right[name];
  return {
    deployments: combineCounts(left.deployments, right.deployments, DEPLOYMENT_STATUSES, sign),
    orders: combineCounts(left.orders, right.orders, ORDER_STATUSES, sign),
    won: count('won'),
    lost: count('lost'),
    trades: count('trades'),
    wins: count('wins'),
    fills: count('fills'),
    realized_pnl: amount('realized_pnl'),
    gross: amount('gross'),
    fees: amount('fees'),
    swap: amount('swap'),
    lots: amount('lots'),
    traded_value: amount('traded_value'),
  };
};

/** Adds two totals. Keeps fields of `left` that this version does not know. */
export const addTotals = (left: Totals, right: Totals): Totals => {
  const sums = combine(left, right, 1);
  return withUnknownOf(left, {
    ...sums,
    deployments: withUnknownOf(left.deployments, sums.deployments),
    orders: withUnknownOf(left.orders, sums.orders),
  });
};

/** Returns the difference that leads from `before` to `after`. */
export const totalsChange = (before: Totals, after: Totals): Totals => combine(after, before, -1);

/** Returns whether a difference changes no total. */
export const isNoChange = (change: Totals): boolean => isDeepStrictEqual(change, NO_TOTALS);

/** Returns the group of a deployment: its currency and, if it has one, its broker. */
export const groupOf = ({ currency, broker_id }: Pick<TradingSummary, 'currency' | 'broker_id'>): string =>
  `${currency}|${broker_id ?? ''}`;

/** Parses a group. */
export const readGroup = (group: string): { currency: string; broker_id: number | null } => {
  const [currency = '', broker = ''] = group.split('|');
  return { currency, broker_id: broker === '' ? null : Number(broker) };
};

const endedSchema = z.object({
  version: z.number(),
  groups: z.record(z.string(), totalsSchema),
  from: z.string().optional(),
  to: z.string().optional(),
});

/** Totals of ended deployments, by group. */
export type EndedTotals = z.output<typeof endedSchema>;

const NONE_ENDED: EndedTotals = { version: 0, groups: {} };

/** Parses stored totals; empty if there is no item. */
export const asEndedTotals = (item: Item | undefined): EndedTotals =>
  item === undefined ? NONE_ENDED : parseItem(endedSchema, item);

type Place = Pick<TradingSummary, 'strategy_id' | 'prediction_market'>;

/** Returns the keys of the totals that an ended deployment counts in: the user's per market, and the strategy's. */
export const endedTotalsKeys = (userId: string, { strategy_id, prediction_market }: Place): [Key, Key] => [
  marketTotalsKey(userId, { prediction_market }),
  strategyTotalsKey(userId, strategy_id),
];

/** Returns the key of a user's totals over ended deployments of prediction markets, or of all other markets. */
export const marketTotalsKey = (
  userId: string,
  { prediction_market }: Pick<TradingSummary, 'prediction_market'>,
): Key => keys.tradingTotals(userId, prediction_market ? 'PREDICTION' : 'MARKET');

/** Returns the key of the totals over ended deployments of a user's strategy. */
export const strategyTotalsKey = (userId: string, strategyId: number): Key =>
  keys.tradingTotals(userId, `STRATEGY#${strategyId}`);

/** Returns the write that adds to the totals of a group. Its condition fails if they changed since they were read. */
export const endedTotalsWrite = (
  key: Key,
  item: Item | undefined,
  { group, change, from, to }: { group: string; change: Totals; from: string; to: string },
): Write => {
  const before = asEndedTotals(item);
  return {
    put: {
      ...before,
      ...key,
      entity: 'live_totals',
      version: before.version + 1,
      groups: { ...before.groups, [group]: addTotals(before.groups[group] ?? NO_TOTALS, change) },
      from: before.from === undefined || from < before.from ? from : before.from,
      to: before.to === undefined || to > before.to ? to : before.to,
    },
    if:
      before.version === 0
        ? { condition: 'attribute_not_exists(pk)' }
        : { condition: 'version = :version', values: { ':version': before.version } },
  };
};
