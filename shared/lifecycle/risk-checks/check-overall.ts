import { unpackLedger } from '../../data/books/packed-ledger.ts';
import { isHubRun, type TradingDeployment } from '../../data/deployments/deployments.ts';
import type { Store } from '../../data/table/store.ts';
import { readTotals } from '../../data/users/risk-totals.ts';
import { isFinalDeploymentStatus } from '../../domain/deployments/deployment-states.ts';
import { zero } from '../../domain/money.ts';
import { checkOverall, type OverallExceeded, totalsAt } from '../../domain/risk/overall.ts';
import type { Totals } from '../../domain/risk/overall-records.ts';
import { overallText } from '../../domain/risk/overall-texts.ts';
import type { Effect } from '../effect.ts';
import { exposureOf, isCounted, marksOf, newOrders } from '../overall-risk.ts';
import { stopOf, stoppedBy } from './stop-at-limit.ts';

/** Returns the limit over all deployments that a report of an engine outside exceeds. */
const exceededBy = (
  effect: Effect & { readonly deployment: TradingDeployment },
  before: TradingDeployment,
  totals: Totals | undefined,
  now: Date,
): OverallExceeded | undefined => {
  const { deployment, ledger } = effect;
  const all = deployment.limits?.all;
  if (!all || totals?.since !== all.since) return undefined;
  const orders = newOrders(before, deployment);
  const { exposure: known = '0' } = deployment.overall ?? {};
  const books = ledger ?? unpackLedger(deployment.ledger);
  const own = isCounted(deployment, all)
    ? exposureOf(deployment, books, marksOf(books, deployment.overall))
    : zero();
  const more = own.minus(known);
  if (orders === 0 && !more.gt(0)) return undefined;
  const found = totalsAt(totals, now.getTime());
  // The order is counted below as one more than before.
  const counted = {
    ...found,
    orders_today: found.orders_today + orders - 1,
    orders_minute: found.orders_minute + orders - 1,
  };
  const { currency } = deployment;
  return checkOverall(all, counted, { currency, value: more.gt(0) ? more : zero(), at: now.getTime() });
};

/**
 * Checks a report of an engine outside on real orders against the limits over all deployments. It reports what it has
 * done, so one beyond a limit halts its deployment.
 */
export const checkOverallReport = async (
  store: Store,
  before: TradingDeployment,
  effect: Effect,
  now: Date,
): Promise<Effect> => {
  const { deployment } = effect;
  if (deployment.kind !== 'live' || !deployment.limits?.all || isHubRun(deployment)) return effect;
  if (isFinalDeploymentStatus(deployment.status) || deployment.mode !== 'live') return effect;
  const totals = await readTotals(store, deployment.user_id);
  const counted = { ...effect, totals };
  const exceeded = exceededBy({ ...effect, deployment }, before, totals, now);
  if (!exceeded || deployment.risk?.tripped) return counted;
  const { limit, used = '0', allowed = '0' } = exceeded;
  const { all } = deployment.limits;
  const breach = { limit, used, allowed, reason: overallText(exceeded, all.currency) };
  const command = stopOf(deployment, { action: all.action });
  return stoppedBy(counted, deployment, breach, command, { at: now.getTime(), now });
};
