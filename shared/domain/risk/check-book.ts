import type { Ledger } from '../ledger/ledger-state.ts';
import { decimal, toText } from '../money.ts';
import { isSurelyBelow, partOf, rough } from './amount.ts';
import { dayStart, equityAmount, type Marks, positionValues } from './equity.ts';
import type { LimitName, MergedLimits } from './limits.ts';
import { lossUsages } from './losses.ts';
import { ordersAt, type RiskState } from './state.ts';
import { judgedPart, type Usage, usesPart, WARN_PART } from './usage.ts';

const LOSS_LIMITS: ReadonlySet<LimitName> = new Set(['daily_loss', 'daily_loss_pct', 'drawdown_pct']);

/** Returns whether a limit concerns the equity. Reaching it stops the deployment. */
const isLossLimit = (limit: LimitName): boolean => LOSS_LIMITS.has(limit);

/** Computes how many of the orders of the day are used. */
export const orderUsages = ({ orders_per_day }: MergedLimits, state: RiskState, at: number): Usage[] =>
  orders_per_day === undefined
    ? []
    : [
        {
          limit: 'orders_per_day',
          used: String(ordersAt(state, at).today),
          allowed: String(orders_per_day),
        },
      ];

/** Computes how many of the orders of the day are used, if the owner may have to be warned of them. */
export const nearOrders = (limits: MergedLimits, state: RiskState, at: number): Usage[] => {
  const { orders_per_day: most } = limits;
  if (most === undefined || state.tripped) return [];
  const bound = partOf(rough(most), judgedPart(state, 'orders_per_day'));
  return isSurelyBelow(rough(ordersAt(state, at).today), bound) ? [] : orderUsages(limits, state, at);
};

/** Result of checking the books of a deployment. */
export interface Judgement {
  readonly state: RiskState;
  /** Limits of which the owner is to be warned: not yet today, and not reached. */
  readonly warnings: readonly Usage[];
  /** Limit that is reached; undefined if none is, or if the deployment was stopped before. */
  readonly tripped: Usage | undefined;
}

/**
 * Judges how much of the limits is used: a warning at 80 %, once per limit and day, and a trip at 100 % of a loss limit.
 *
 * @param usages those of orders warn only: an order beyond the limit is refused, or stops an engine outside.
 */
export const judge = (state: RiskState, usages: readonly Usage[]): Judgement => {
  if (state.tripped !== undefined) return { state, warnings: [], tripped: undefined };
  const tripped = usages.find((usage) => isLossLimit(usage.limit) && usesPart(usage, 1));
  const warnings = usages.filter(
    (usage) => usage !== tripped && !state.warned.includes(usage.limit) && usesPart(usage, WARN_PART),
  );
  if (warnings.length === 0) return { state, warnings, tripped };
  const warned = [...state.warned, ...warnings.map(({ limit }) => limit)];
  return { state: { ...state, warned }, warnings, tripped };
};

/** Marks the state as stopped by a limit. */
export const trip = (
  state: RiskState,
  { limit, used, allowed }: Pick<Usage, 'used' | 'allowed'> & { readonly limit: string },
  at: number,
): RiskState => ({ ...state, tripped: { limit, at: new Date(at).toISOString(), used, allowed } });

/** Computes how much of every limit with a number is used, without the value of single orders. */
export const allUsages = (
  limits: MergedLimits,
  state: RiskState,
  ledger: Ledger,
  at: number,
  marks?: Marks,
): Usage[] => {
  const value = { at, equity: equityAmount(ledger, marks), day_start: dayStart(ledger, at) };
  const positions = [...positionValues(ledger, marks).values()].map((each) => each.exact());
  const { orders_per_minute: aMinute, open_positions: open, position_value: largest } = limits;
  const { thisMinute } = ordersAt(state, at);
  const most = positions.reduce((left, right) => (right.gt(left) ? right : left), decimal(0));
  const counted = (limit: LimitName, used: number, allowed: number | undefined): Usage[] =>
    allowed === undefined ? [] : [{ limit, used: String(used), allowed: String(allowed) }];
  return [
    ...lossUsages(limits, state, value),
    ...orderUsages(limits, state, at),
    ...counted('orders_per_minute', thisMinute, aMinute),
    ...counted('open_positions', positions.length, open),
    ...(largest === undefined
      ? []
      : [{ limit: 'position_value' as const, used: toText(most), allowed: largest }]),
  ];
};
