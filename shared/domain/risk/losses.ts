import { type Decimal, decimal, toText } from '../money.ts';
import { type Amount, isSurelyBelow, minus, partOf, type Rough, rough, storedAmount } from './amount.ts';
import { type LimitName, limitsLoss, type MergedLimits } from './limits.ts';
import { type RiskState, riskDayOf } from './state.ts';
import { judgedPart, type Usage } from './usage.ts';

/** Equity of a deployment at a moment. */
export interface BookValue {
  readonly at: number;
  readonly equity: Amount;
  /** Equity at which the day began, by the ledger. */
  readonly day_start: Amount;
}

/** Loss that a limit concerns. */
interface Loss {
  readonly limit: LimitName;
  /** Equity that the loss counts from; undefined for the present one: nothing is lost. */
  readonly from: Amount | undefined;
  /** True if the limit is a percentage of that equity. */
  readonly isPercent: boolean;
  readonly allowed: string;
}

/** Returns the equity that the loss of the day counts from: that of the last re-arming, if it was on this day. */
const lossStart = (state: RiskState, { at, day_start }: BookValue): Amount | undefined => {
  const { baseline } = state;
  const day = riskDayOf(state, at);
  if (baseline === undefined || riskDayOf(state, baseline.at) < day) {
    return state.day === day && state.day_start !== undefined ? storedAmount(state.day_start) : day_start;
  }
  return baseline.equity === undefined ? undefined : storedAmount(baseline.equity);
};

const lossesOf = (limits: MergedLimits, state: RiskState, value: BookValue): Loss[] => {
  if (!limitsLoss(limits)) return [];
  const { daily_loss, daily_loss_pct, drawdown_pct } = limits;
  const from = lossStart(state, value);
  const losses: Loss[] = [];
  const add = (
    limit: LimitName,
    allowed: string | undefined,
    more: Pick<Loss, 'from' | 'isPercent'>,
  ): void => {
    if (allowed !== undefined) losses.push({ limit, allowed, ...more });
  };
  add('daily_loss', daily_loss, { from, isPercent: false });
  add('daily_loss_pct', daily_loss_pct, { from, isPercent: true });
  add('drawdown_pct', drawdown_pct, {
    from: state.peak === undefined ? undefined : storedAmount(state.peak),
    isPercent: true,
  });
  return losses;
};

const percentOf = (part: Decimal, whole: Decimal): Decimal =>
  // Nothing is left to lose a part of.
  whole.gt(0) ? part.div(whole).times(100) : decimal(100);

const usedOf = ({ from, isPercent }: Loss, equity: Decimal): Decimal => {
  if (from === undefined) return decimal(0);
  const whole = from.exact();
  if (equity.gte(whole)) return decimal(0);
  const part = whole.minus(equity);
  return isPercent ? percentOf(part, whole) : part;
};

const lossUsage = (loss: Loss, { equity }: BookValue): Usage => ({
  limit: loss.limit,
  used: toText(usedOf(loss, equity.exact())),
  allowed: loss.allowed,
});

const ZERO: Rough = rough(0);

/** Returns whether doubles are sure that less than a part of a limit is lost. */
const isFar = ({ from, isPercent, allowed }: Loss, { rough: equity }: Amount, part: number): boolean => {
  const limit = partOf(rough(allowed), part);
  if (!isSurelyBelow(ZERO, limit)) return false;
  if (from === undefined) return true;
  const { rough: start } = from;
  if (isSurelyBelow(start, equity)) return true;
  const bound = isPercent ? partOf(start, limit.value / 100) : limit;
  return isSurelyBelow(minus(start, equity), bound);
};

/** Computes how much of the loss limits is used. */
export const lossUsages = (limits: MergedLimits, state: RiskState, value: BookValue): Usage[] =>
  lossesOf(limits, state, value).map((loss) => lossUsage(loss, value));

/** Computes the use of the loss limits that may be reached, or that the owner may have to be warned of. */
export const nearLosses = (limits: MergedLimits, state: RiskState, value: BookValue): Usage[] =>
  state.tripped
    ? []
    : lossesOf(limits, state, value)
        .filter((loss) => !isFar(loss, value.equity, judgedPart(state, loss.limit)))
        .map((loss) => lossUsage(loss, value));
