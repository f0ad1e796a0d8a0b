import { type Decimal, decimal, toText } from '../money.ts';
import { type Day, dayOf } from '../periods.ts';
import { withUnknownOf } from '../unknown-fields.ts';
import type { OverallLimits, Share, Totals } from './overall-records.ts';
import { usesPart, WARN_PART } from './usage.ts';

const MINUTE_MS = 60_000;

const minuteOf = (at: number): number => Math.floor(at / MINUTE_MS);

/** Names of limits over all deployments that an order or a loss can reach. */
type OverallName = 'daily_loss' | 'exposure' | 'orders_per_day' | 'orders_per_minute';

/** Limit over all deployments that an entry would exceed, or that was reached. */
export interface OverallExceeded {
  /** `tripped`, `pending` and `currency` have no values. */
  readonly limit: OverallName | 'tripped' | 'pending' | 'currency';
  readonly used?: string;
  readonly allowed?: string;
}

/** Returns the counts of a user who has traded nothing yet. @param pending deployments that are yet to be counted */
export const startTotals = (since: number, at: number, pending: readonly number[]): Totals => ({
  since,
  rev: 1,
  ...(pending.length > 0 && { pending: [...pending] }),
  exposure: '0',
  day: dayOf(at),
  pnl: '0',
  base: '0',
  orders_today: 0,
  minute: minuteOf(at),
  orders_minute: 0,
});

/** Moves counts on to the day and the minute of a moment. */
export const totalsAt = (totals: Totals, at: number): Totals => {
  const [day, minute] = [dayOf(at), minuteOf(at)];
  const sameMinute = minute <= totals.minute ? totals : { ...totals, minute, orders_minute: 0 };
  if (day <= totals.day) return sameMinute;
  const { warned: _, tripped: __, ...others } = sameMinute;
  return { ...others, day, pnl: '0', base: '0', orders_today: 0 };
};

/** Returns the loss of the day over all deployments; zero for a gain. */
export const overallLoss = ({ pnl, base }: Totals): Decimal => {
  const loss = decimal(base).minus(pnl);
  return loss.gt(0) ? loss : decimal(0);
};

const more = (limit: OverallName, used: number, allowed: number | undefined): OverallExceeded | undefined =>
  allowed !== undefined && used > allowed
    ? { limit, used: String(used), allowed: String(allowed) }
    : undefined;

/** Returns whether limits of amounts concern a deployment in another currency, whose amounts they cannot count. */
const isForeign = ({ currency, exposure, daily_loss }: OverallLimits, other: string): boolean =>
  currency !== other && (exposure ?? daily_loss) !== undefined;

/**
 * Returns the limit over all deployments that an entry would exceed; undefined if it may be placed.
 *
 * @param totals undefined if nothing was counted yet.
 */
export const checkOverall = (
  limits: OverallLimits,
  totals: Totals | undefined,
  entry: { readonly currency: string; readonly value: Decimal; readonly at: number },
): OverallExceeded | undefined => {
  if (totals?.since !== limits.since || totals.pending) return { limit: 'pending' };
  const { tripped, orders_today, orders_minute, exposure } = totalsAt(totals, entry.at);
  if (tripped) return { limit: 'tripped' };
  if (isForeign(limits, entry.currency)) return { limit: 'currency' };
  const used = decimal(exposure).plus(entry.value);
  return (
    more('orders_per_day', orders_today + 1, limits.orders_per_day) ??
    more('orders_per_minute', orders_minute + 1, limits.orders_per_minute) ??
    (limits.exposure !== undefined && used.gt(limits.exposure)
      ? { limit: 'exposure', used: toText(used), allowed: limits.exposure }
      : undefined)
  );
};

/** Books of a deployment that its share is computed of. */
export interface ShareBooks {
  readonly exposure: Decimal;
  readonly equity: Decimal;
  /** Equity at which a day begins that the share does not know yet. */
  readonly dayStart: Decimal;
  readonly marks: Share['marks'];
}

/** Returns the share of a deployment. @param before its share so far, of the same counting */
export const shareOf = (
  before: Share | undefined,
  since: number,
  day: Day,
  { exposure, equity, dayStart, marks }: ShareBooks,
): Share => {
  const isSameDay = before !== undefined && before.day >= day;
  const start = isSameDay ? decimal(before.equity).minus(before.pnl) : dayStart;
  return withUnknownOf(before ?? {}, {
    since,
    exposure: toText(exposure),
    day: isSameDay ? before.day : day,
    pnl: toText(equity.minus(start)),
    equity: toText(equity),
    ...(marks && Object.keys(marks).length > 0 && { marks }),
  });
};

/** Counts the share of a deployment in place of the one before, and its new orders. */
export const countShare = (
  totals: Totals,
  {
    before,
    after,
    orders,
  }: { readonly before: Share | undefined; readonly after: Share; readonly orders: number },
  id: number,
): Totals => {
  const { pending, ...others } = totals;
  const left = pending?.filter((one) => one !== id) ?? [];
  const ofDay = (share: Share | undefined) => (share?.day === totals.day ? share.pnl : '0');
  return {
    ...others,
    ...(left.length > 0 && { pending: left }),
    exposure: toText(
      decimal(totals.exposure)
        .minus(before?.exposure ?? '0')
        .plus(after.exposure),
    ),
    pnl: toText(decimal(totals.pnl).minus(ofDay(before)).plus(ofDay(after))),
    orders_today: totals.orders_today + orders,
    orders_minute: totals.orders_minute + orders,
    rev: totals.rev + 1,
  };
};

/** Result of judging the loss of the day over all deployments. */
interface Judged {
  readonly totals: Totals;
  /** Set if most of the limit is used, once a day; `tripped` if it is reached. */
  readonly usage?: { readonly used: string; readonly allowed: string; readonly isReached: boolean };
}

/** Judges the loss of the day: a warning at 80 %, once a day; at 100 % all deployments stop. */
export const judgeLoss = ({ daily_loss: allowed }: OverallLimits, totals: Totals, at: number): Judged => {
  if (allowed === undefined || totals.tripped) return { totals };
  const used = toText(overallLoss(totals));
  const usage = { limit: 'daily_loss' as const, used, allowed };
  if (usesPart(usage, 1)) {
    const tripped = { ...usage, at: new Date(at).toISOString() };
    return { totals: { ...totals, tripped }, usage: { used, allowed, isReached: true } };
  }
  if (totals.warned || !usesPart(usage, WARN_PART)) return { totals };
  return { totals: { ...totals, warned: true }, usage: { used, allowed, isReached: false } };
};

/** Re-arms the limits: losses count from now on. Counts of orders stay. */
export const rearmTotals = ({ tripped: _, warned: __, ...totals }: Totals): Totals => ({
  ...totals,
  base: totals.pnl,
  rev: totals.rev + 1,
});

const NUMBERS = ['daily_loss', 'exposure', 'orders_per_day', 'orders_per_minute'] as const;

/** Tells whether limits over all deployments allow anything that those before did not. */
export const areLooserOverall = (
  before: OverallLimits | undefined,
  after: Partial<OverallLimits> | undefined,
): boolean => {
  if (!before) return false;
  const isRaised = (name: (typeof NUMBERS)[number]): boolean => {
    const [was, is] = [before[name], after?.[name]];
    return was !== undefined && (is === undefined || decimal(is).gt(was));
  };
  return (
    NUMBERS.some(isRaised) ||
    (before.action === 'flatten' && after?.action !== 'flatten') ||
    after?.currency !== before.currency
  );
};
