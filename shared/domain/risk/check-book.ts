import type { Ledger } from '../ledger/ledger-state.ts';
import { type Decimal, decimal, toText, zero } from '../money.ts';
import { dayOf } from '../periods.ts';
import { dayStart, equityOf, type Marks, positionValues } from './equity.ts';
import { type LimitName, limitsLoss, type MergedLimits } from './limits.ts';
import { ordersAt, peakOf, type RiskState } from './state.ts';

const LOSS_LIMITS: ReadonlySet<LimitName> = new Set(['daily_loss', 'daily_loss_pct', 'drawdown_pct']);

/** Returns whether a limit concerns the equity. Reaching it stops the deployment. */
const isLossLimit = (limit: LimitName): boolean => LOSS_LIMITS.has(limit);

/** Part of a limit from which the owner is warned. */
const WARN_PART = '0.8';

/** Used part of a limit. */
export interface Usage {
  readonly limit: LimitName;
  readonly used: string;
  readonly allowed: string;
}

/** Relative error that doubles of amounts stay far below. */
const TOLERANCE = 1e-12;
/** Part of a limit within which doubles do not tell whether it is nearly reached; far more than they are wrong by. */
const MARGIN = 1e-6;

/** Returns whether a part of a limit is used. Doubles decide wherever they are sure: most amounts are far away. */
const usesPart = ({ used, allowed }: Usage, part: string): boolean => {
  const [amount, limit] = [Number(used), Number(allowed) * Number(part)];
  if (Math.abs(amount - limit) > TOLERANCE * Math.max(amount, limit)) return amount > limit;
  return decimal(used).gte(decimal(allowed).times(part));
};

/** Equity of a deployment at a moment. */
export interface BookValue {
  readonly at: number;
  readonly equity: Decimal;
  /** Equity at which the day began, by the ledger. */
  readonly day_start: string;
}

const usageOf = (limit: LimitName, used: Decimal, allowed: string): Usage => ({
  limit,
  used: toText(used),
  allowed,
});

const percentOf = (part: Decimal, whole: Decimal): Decimal => {
  if (part.lte(0)) return decimal(0);
  // Nothing is left to lose a part of.
  return whole.gt(0) ? part.div(whole).times(100) : decimal(100);
};

/** Returns the equity that the loss of the day counts from: that of the last re-arming, if it was on this day. */
const lossStart = (state: RiskState, { at, day_start, equity }: BookValue): string => {
  const { baseline } = state;
  if (baseline === undefined || dayOf(baseline.at) < dayOf(at)) {
    return state.day === dayOf(at) ? (state.day_start ?? day_start) : day_start;
  }
  return baseline.equity ?? toText(equity);
};

/** Part of the equity that is lost. */
interface Loss {
  readonly limit: LimitName;
  readonly part: Decimal;
  /** Equity of which a percentage counts; undefined for an amount. */
  readonly whole?: Decimal;
  readonly allowed: string;
}

const lossesOf = (limits: MergedLimits, state: RiskState, value: BookValue): Loss[] => {
  if (!limitsLoss(limits)) return [];
  const { equity } = value;
  const { daily_loss, daily_loss_pct, drawdown_pct } = limits;
  const start = decimal(lossStart(state, value));
  const fall = start.minus(equity);
  const part = fall.gt(0) ? fall : zero();
  const losses: Loss[] = [];
  if (daily_loss !== undefined) losses.push({ limit: 'daily_loss', part, allowed: daily_loss });
  if (daily_loss_pct !== undefined) {
    losses.push({ limit: 'daily_loss_pct', part, whole: start, allowed: daily_loss_pct });
  }
  if (drawdown_pct !== undefined) {
    const peak = peakOf(state, equity);
    losses.push({ limit: 'drawdown_pct', part: peak.minus(equity), whole: peak, allowed: drawdown_pct });
  }
  return losses;
};

const lossUsage = ({ limit, part, whole, allowed }: Loss): Usage =>
  usageOf(limit, whole ? percentOf(part, whole) : part, allowed);

/** Returns whether an amount may be the part of a limit that the owner is warned at. Doubles are sure wherever it is not. */
const isNear = (used: number, allowed: string | number): boolean =>
  !(used < Number(allowed) * Number(WARN_PART) * (1 - MARGIN));

const isNearLoss = ({ part, whole, allowed }: Loss): boolean => {
  const [amount, all] = [part.toNumber(), whole?.toNumber()];
  if (all === undefined) return isNear(amount, allowed);
  return amount > 0 ? all <= 0 || isNear((amount / all) * 100, allowed) : isNear(0, allowed);
};

/** Computes how much of the loss limits is used. */
export const lossUsages = (limits: MergedLimits, state: RiskState, value: BookValue): Usage[] =>
  lossesOf(limits, state, value).map(lossUsage);

/** Computes how many of the orders of the day are used. */
export const orderUsages = ({ orders_per_day }: MergedLimits, state: RiskState, at: number): Usage[] =>
  orders_per_day === undefined
    ? []
    : [usageOf('orders_per_day', decimal(ordersAt(state, at).today), String(orders_per_day))];

/** Computes the use of the loss limits that {@link judge} may say something of: of those that are nearly reached. */
export const nearLosses = (limits: MergedLimits, state: RiskState, value: BookValue): Usage[] =>
  lossesOf(limits, state, value).filter(isNearLoss).map(lossUsage);

/** Computes how many of the orders of the day are used, if most are. */
export const nearOrders = (limits: MergedLimits, state: RiskState, at: number): Usage[] => {
  const { orders_per_day: most } = limits;
  return most !== undefined && isNear(ordersAt(state, at).today, most) ? orderUsages(limits, state, at) : [];
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
  const tripped = usages.find((usage) => isLossLimit(usage.limit) && usesPart(usage, '1'));
  const warnings = usages.filter(
    (usage) => usage !== tripped && usesPart(usage, WARN_PART) && !state.warned.includes(usage.limit),
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
  const value = { at, equity: equityOf(ledger, marks), day_start: dayStart(ledger, at) };
  const positions = positionValues(ledger, marks);
  const { orders_per_minute: aMinute, open_positions: open, position_value: largest } = limits;
  const { thisMinute } = ordersAt(state, at);
  const most = [...positions.values()].reduce((left, right) => (right.gt(left) ? right : left), decimal(0));
  return [
    ...lossUsages(limits, state, value),
    ...orderUsages(limits, state, at),
    ...(aMinute === undefined ? [] : [usageOf('orders_per_minute', decimal(thisMinute), String(aMinute))]),
    ...(open === undefined ? [] : [usageOf('open_positions', decimal(positions.size), String(open))]),
    ...(largest === undefined ? [] : [usageOf('position_value', most, largest)]),
  ];
};
