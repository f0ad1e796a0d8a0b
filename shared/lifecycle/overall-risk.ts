import { unpackLedger } from '../data/books/packed-ledger.ts';
import type { Deployment, TradingDeployment } from '../data/deployments/deployments.ts';
import type { Message } from '../data/outbox/messages.ts';
import type { Store } from '../data/table/store.ts';
import type { Write } from '../data/table/writes.ts';
import { readTotals, totalsWrite } from '../data/users/risk-totals.ts';
import { isFinalDeploymentStatus } from '../domain/deployments/deployment-states.ts';
import { openPositions } from '../domain/ledger/account.ts';
import type { Ledger } from '../domain/ledger/ledger-state.ts';
import { type Decimal, decimal, zero } from '../domain/money.ts';
import { dayOf } from '../domain/periods.ts';
import { equityOf, type Marks, type OverallMarks, positionValues } from '../domain/risk/equity.ts';
import { countShare, judgeLoss, type ShareBooks, shareOf, totalsAt } from '../domain/risk/overall.ts';
import type { OverallLimits, Share, Totals } from '../domain/risk/overall-records.ts';
import { overallText } from '../domain/risk/overall-texts.ts';
import type { NotificationText } from './effect.ts';

/** Returns whether amounts of a deployment count: they are in the currency of the limits. */
export const isCounted = ({ currency }: TradingDeployment, limits: OverallLimits): boolean =>
  currency === limits.currency;

/** Returns the newest prices of what is held: those that are given, else those of the share before. */
export const marksOf = (ledger: Ledger, before: Share | undefined, given: Marks = new Map()): Marks => {
  const kept = Object.entries(before?.marks ?? {}).map(
    ([symbol, [at, price]]) => [symbol, { at, price }] as const,
  );
  const held = new Set(openPositions(ledger.head).map(([symbol]) => symbol));
  return new Map([...kept, ...given].filter(([symbol]) => held.has(symbol)));
};

/** Returns the value of all positions and of the entries on their way. */
export const exposureOf = (deployment: TradingDeployment, ledger: Ledger, marks: Marks): Decimal => {
  // The hub follows a position no further once its deployment has ended.
  if (isFinalDeploymentStatus(deployment.status)) return zero();
  const waiting = Object.values(deployment.risk?.entering ?? {});
  return [...positionValues(ledger, marks).values()]
    .map((value) => value.exact())
    .concat(waiting.map(({ value }) => decimal(value)))
    .reduce((sum, value) => sum.plus(value), zero());
};

const NO_BOOKS: ShareBooks = { exposure: zero(), equity: zero(), dayStart: zero(), marks: undefined };

const booksOf = (
  before: TradingDeployment,
  after: TradingDeployment,
  known: Share | undefined,
  ledger: Ledger,
  given: OverallMarks | undefined,
): ShareBooks => {
  const marks = marksOf(ledger, known, given?.now);
  const dayStart = (): Decimal => {
    if (given) return equityOf(ledger, given.before);
    return known ? decimal(known.equity) : equityOf(unpackLedger(before.ledger));
  };
  return {
    exposure: exposureOf(after, ledger, marks),
    equity: equityOf(ledger, marks),
    dayStart: dayStart(),
    marks: Object.fromEntries([...marks].map(([symbol, { at, price }]) => [symbol, [at, price]])),
  };
};

/** Returns the orders that a change has counted against the limits of its deployment. */
export const newOrders = (
  { risk: before }: TradingDeployment,
  { risk: after }: TradingDeployment,
): number => {
  if (!after) return 0;
  const known = before && before.day === after.day ? before.orders_today : 0;
  return Math.max(0, after.orders_today - known);
};

/** Returns whether a change of a deployment is counted over all deployments of its user. */
export const concernsTotals = (
  before: TradingDeployment,
  after: Pick<TradingDeployment, 'limits' | 'mode'>,
): boolean => after.mode === 'live' && (after.limits?.all ?? before.limits?.all) !== undefined;

/** A change of the counts of a user, with the change of the deployment. */
interface Counted {
  readonly deployment: TradingDeployment;
  readonly writes: readonly Write[];
  readonly messages: readonly Message[];
  readonly notifications: readonly NotificationText[];
}

const warning = (
  { used, allowed }: { readonly used: string; readonly allowed: string },
  { currency }: OverallLimits,
): NotificationText => {
  const used_pct = Number(decimal(used).div(allowed).times(100).toFixed(2));
  return {
    kind: 'risk_warning',
    severity: 'warning',
    title: 'Your deployments together are close to a risk limit',
    body: `${used_pct} % of the loss of a day (UTC) over all deployments is used.`,
    data: { limit: 'daily_loss', used, allowed, used_pct, currency },
  };
};

/**
 * Counts a change of a deployment with real orders over all deployments of its user, in its own transaction: the share of
 * the deployment is computed of its books, so nothing that is reserved is ever left behind. A loss of the day that is
 * reached is noted, which stops all further entries at once, and a message stops all deployments.
 *
 * @param totals as they were read, for the decision on an entry or else right before.
 */
export const countOverall = (
  before: TradingDeployment,
  after: TradingDeployment,
  ledger: Ledger | undefined,
  {
    totals,
    marks,
    now,
  }: { readonly totals: Totals | undefined; readonly marks?: OverallMarks | undefined; readonly now: Date },
): Counted => {
  const nothing: Counted = { deployment: after, writes: [], messages: [], notifications: [] };
  const limits = after.limits?.all;
  if (!limits || totals?.since !== limits.since) {
    const { overall, ...others } = after;
    return limits || overall === undefined ? nothing : { ...nothing, deployment: others };
  }
  const at = now.getTime();
  const known = after.overall?.since === limits.since ? after.overall : undefined;
  const books = ledger ?? unpackLedger(after.ledger);
  const own = isCounted(after, limits) ? booksOf(before, after, known, books, marks) : NO_BOOKS;
  const overall = shareOf(known, limits.since, dayOf(at), own);
  const orders = newOrders(before, after);
  const isSame =
    known !== undefined &&
    orders === 0 &&
    known.exposure === overall.exposure &&
    known.equity === overall.equity;
  if (isSame && known.day === overall.day) return nothing;
  const counted = countShare(
    totalsAt(totals, at),
    { before: known, after: overall, orders },
    after.deployment_id,
  );
  const { totals: judged, usage } = judgeLoss(limits, counted, at);
  return {
    deployment: { ...after, overall },
    writes: [totalsWrite(after.user_id, totals, judged)],
    messages: usage?.isReached ? [{ kind: 'risk_limits', user_id: after.user_id }] : [],
    notifications: usage && !usage.isReached ? [warning(usage, limits)] : [],
  };
};

/** Part of the loss limit by which the result of a deployment has to move before a bar alone is counted. */
const LEAST_MOVE = 0.01;

/**
 * Returns whether the close of a bar moves the result of a deployment enough to be counted: by a hundredth of the limit, or
 * at the first bar of a day (UTC).
 */
export const movesTotals = (
  deployment: TradingDeployment,
  ledger: Ledger,
  marks: OverallMarks,
  now: Date,
): boolean => {
  const { limits, overall } = deployment;
  const all = limits?.all;
  if (all?.daily_loss === undefined || !isCounted(deployment, all)) return false;
  if (overall?.since !== all.since || overall.day < dayOf(now.getTime())) return true;
  const equity = equityOf(ledger, marksOf(ledger, overall, marks.now));
  return equity.minus(overall.equity).abs().gte(decimal(all.daily_loss).times(LEAST_MOVE));
};

/** Returns the limit over all deployments that has stopped trading on the day of a moment, in words. */
export const overallTrip = (
  { limits }: Pick<TradingDeployment, 'limits'>,
  totals: Totals | undefined,
  now: Date,
):
  | (Readonly<Record<'limit' | 'used' | 'allowed' | 'reason', string>> & { readonly flatten: boolean })
  | undefined => {
  const all = limits?.all;
  if (!all || totals?.since !== all.since) return undefined;
  const { tripped } = totalsAt(totals, now.getTime());
  if (!tripped) return undefined;
  const { used, allowed } = tripped;
  const reason = overallText({ limit: 'daily_loss', used, allowed }, all.currency);
  return { limit: 'daily_loss', used, allowed, reason, flatten: all.action === 'flatten' };
};

/**
 * Reads the reason for which a limit over all deployments of its user lets no entry of a deployment leave; undefined
 * without one. Costs nothing without such limits. Must run right before an order leaves.
 */
export const readOverallTrip = async (
  store: Store,
  deployment: Deployment | undefined,
  now: Date,
): Promise<string | undefined> => {
  if (deployment?.kind !== 'live' || !deployment.limits?.all) return undefined;
  return overallTrip(deployment, await readTotals(store, deployment.user_id), now)?.reason;
};
