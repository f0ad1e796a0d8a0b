import * as z from 'zod';
import { add, decimal, decimalText, toText } from '../../domain/money.ts';
import { withUnknownOf } from '../../domain/unknown-fields.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Write } from '../table/writes.ts';
import type { Strategy, StrategyPerformance } from './strategies.ts';

/** Digits of percentages. */
const DIGITS = 15;
const PERCENT = 100;

const shareSchema = z.object({
  strategy_id: z.number(),
  /** Version of the deployment; older ones change nothing. */
  version: z.number(),
  currency: z.string(),
  capital: decimalText,
  pnl: decimalText,
  trades: z.int(),
  wins: z.int(),
  /** True for orders with money. */
  is_real: z.boolean(),
});

/** Part of a deployment in the reported figures of its strategy. */
export type ReportedShare = z.output<typeof shareSchema>;

/** Parses the part of a deployment; undefined if it has none yet. */
export const asShare = (item: Item | undefined): ReportedShare | undefined =>
  item && parseItem(shareSchema, item);

/** Returns the write of the part of a deployment. Its condition fails if the part changed since it was read. */
export const shareWrite = (
  deploymentId: number,
  before: ReportedShare | undefined,
  after: ReportedShare,
): Write => ({
  put: {
    ...withUnknownOf(before ?? {}, after),
    ...keys.reportedShare(deploymentId),
    entity: 'reported_share',
  },
  if: before
    ? { condition: 'version = :version', values: { ':version': before.version } }
    : { condition: 'attribute_not_exists(pk)' },
});

type Reported = NonNullable<Strategy['reported']>;

/** Returns the sums of a strategy without rules that is published for the first time. */
export const newReported = (now: Date): Reported => ({
  since: now.toISOString(),
  deployments: 0,
  real: 0,
  trades: 0,
  wins: 0,
  amounts: {},
});

const withAmounts = (
  amounts: Reported['amounts'],
  { currency, capital, pnl }: ReportedShare,
  sign: 1 | -1,
): Reported['amounts'] => {
  const sum = amounts[currency] ?? { capital: '0', pnl: '0' };
  const signed = (amount: string) => toText(decimal(amount).times(sign));
  return {
    ...amounts,
    [currency]: { ...sum, capital: add(sum.capital, signed(capital)), pnl: add(sum.pnl, signed(pnl)) },
  };
};

/** Returns the sums after the part of a deployment has changed. @param before undefined for a new part */
export const withShare = (
  reported: Reported,
  before: ReportedShare | undefined,
  after: ReportedShare,
  now: Date,
): Reported => {
  const count = (value: (share: ReportedShare) => number): number =>
    value(after) - (before ? value(before) : 0);
  const amounts = before ? withAmounts(reported.amounts, before, -1) : reported.amounts;
  return {
    ...reported,
    deployments: reported.deployments + count(() => 1),
    real: reported.real + count(({ is_real }) => (is_real ? 1 : 0)),
    trades: reported.trades + count(({ trades }) => trades),
    wins: reported.wins + count(({ wins }) => wins),
    amounts: withAmounts(amounts, after, 1),
    as_of: now.toISOString(),
  };
};

const quotient = (part: string | number, whole: string | number): number =>
  Number(((Number(part) / Number(whole)) * PERCENT).toPrecision(DIGITS));

/** Returns the result over the capital; null before the first deployment, and for capital in several currencies. */
const returnOf = (amounts: Reported['amounts']): number | null => {
  const used = Object.values(amounts).filter(({ capital }) => decimal(capital).gt(0));
  const [only] = used;
  return only && used.length === 1 ? quotient(only.pnl, only.capital) : null;
};

/**
 * Returns the performance that others see of a strategy without rules: all deployments of its owner since its first
 * publication, added up. What follows from the course of equity is not known, and nobody verified the figures.
 */
export const reportedPerformance = (reported: Reported): StrategyPerformance => {
  const { since, as_of, deployments, real, trades, wins, amounts } = reported;
  return {
    total_return_pct: trades > 0 ? returnOf(amounts) : null,
    cagr_pct: null,
    max_drawdown_pct: null,
    sharpe_ratio: null,
    win_rate_pct: trades > 0 ? quotient(wins, trades) : null,
    trades_count: trades,
    mode: deployments === 0 ? null : real === deployments ? 'live' : 'virtual',
    as_of: as_of ?? null,
    period_start: since,
    source: 'reported',
    since,
    unranked: 'not_verified',
  };
};
