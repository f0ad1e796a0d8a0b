import { isDeepStrictEqual } from 'node:util';
import {
  activeDeploymentWrite,
  activeKey,
  activeWatcherWrite,
  endedWatcherWrite,
} from '../../data/books/active-deployments.ts';
import { endedList, summaryWrite } from '../../data/books/ended-entries.ts';
import { unpackLedger } from '../../data/books/packed-ledger.ts';
import { isExposed, summaryItemSchema, summaryOf, type TradingSummary } from '../../data/books/summary.ts';
import { asDeployment, type Deployment, type TradingDeployment } from '../../data/deployments/deployments.ts';
import { entryKey } from '../../data/numbered-list/numbered-list.ts';
import { repaired } from '../../data/reconcile/repaired.ts';
import type { Tally } from '../../data/reconcile/tally.ts';
import type { Item } from '../../data/table/attributes.ts';
import { keys } from '../../data/table/keys.ts';
import { parseItem } from '../../data/table/parse-item.ts';
import type { Store } from '../../data/table/store.ts';
import type { Key, Write } from '../../data/table/writes.ts';
import { isFinalDeploymentStatus } from '../../domain/deployments/deployment-states.ts';
import { isSettled } from '../figures-end.ts';
import { listedWrite } from '../trading-change.ts';

interface Fix {
  readonly kind: 'active_deployments' | 'live_summaries' | 'ended_summaries';
  readonly write: Write;
}

/** Returns the figures of a summary that lists and sums show. */
const figuresOf = ({
  status,
  phase,
  stop_reason,
  orders,
  orders_count,
  positions,
  totals,
}: TradingSummary) => ({
  status,
  phase,
  stop_reason,
  orders,
  orders_count,
  positions: positions.map(({ basis: _, ...position }) => position),
  totals: { ...totals, closed_day: undefined },
});

const isSame = (summary: TradingSummary, item: Item | undefined): boolean =>
  item !== undefined &&
  isDeepStrictEqual(figuresOf(parseItem(summaryItemSchema, item).summary), figuresOf(summary));

const isElsewhere = (active: Item, { broker_id }: Deployment): boolean =>
  active.broker_id !== (broker_id ?? null);

/** Compares the lists of a trading deployment with the deployment. */
const tradingFixes = async (
  store: Store,
  deployment: TradingDeployment,
  active: Item | undefined,
): Promise<Fix[]> => {
  const { user_id, ended_seq, prediction_market } = deployment;
  const ledger = unpackLedger(deployment.ledger);
  const summary = summaryOf(deployment, ledger);
  const isEnded = isFinalDeploymentStatus(deployment.status);
  const { deployment_id: id } = deployment;
  const running = keys.listedTrading(user_id, false, id);
  const exposed = keys.listedTrading(user_id, true, id);
  const ended =
    isEnded && ended_seq !== undefined
      ? entryKey(endedList(user_id, { prediction_market }), ended_seq)
      : undefined;
  const [runningItem, exposedItem, endedItem] = await store.getMany(
    [running, exposed, ...(ended ? [ended] : [])],
    { consistent: true },
  );
  const fixes: Fix[] = [];
  // The jobs themselves remove a deployment whose books are final.
  const isWorkedOn = !isEnded || !isSettled(deployment, ledger, ledger.closed_through ?? '');
  if (active ? isElsewhere(active, deployment) : isWorkedOn) {
    fixes.push({ kind: 'active_deployments', write: activeDeploymentWrite(deployment) });
  }
  const [ownItem, other, otherItem] = isEnded
    ? [exposedItem, running, runningItem]
    : [runningItem, exposed, exposedItem];
  const isListed = !isEnded || isExposed(summary);
  if (isListed ? !isSame(summary, ownItem) : ownItem !== undefined) {
    fixes.push({ kind: 'live_summaries', write: listedWrite(user_id, summary) });
  }
  if (otherItem) fixes.push({ kind: 'live_summaries', write: { delete: other } });
  if (ended && !isSame(summary, endedItem)) {
    fixes.push({ kind: 'ended_summaries', write: summaryWrite(ended, summary) });
  }
  return fixes;
};

/** Compares the active deployments with a notification deployment or a scanner. */
const watcherFixes = (deployment: Deployment, active: Item | undefined): Fix[] => {
  const isActive = !isFinalDeploymentStatus(deployment.status);
  const isRight = isActive === (active !== undefined) && !(active && isElsewhere(active, deployment));
  if (isRight) return [];
  const write = isActive ? activeWatcherWrite(deployment) : endedWatcherWrite(deployment.deployment_id);
  return [{ kind: 'active_deployments', write }];
};

const measure = async (store: Store, id: number) => {
  const [found, live, watcher] = await store.getMany(
    [keys.deployment(id), activeKey('LIVE', id), activeKey('WATCH', id)],
    { consistent: true },
  );
  const deployment = asDeployment(found);
  if (!deployment) return undefined;
  const fixes =
    deployment.kind === 'live'
      ? await tradingFixes(store, deployment, live)
      : watcherFixes(deployment, watcher);
  return fixes.length > 0 ? { version: deployment.version, fixes } : undefined;
};

/**
 * Checks and corrects a deployment among the active ones, the summaries of its owner and the ended ones. All of them
 * are written with the deployment, so its version guards the correction.
 */
export const reconcileDeployment = async (store: Store, id: number, tally: Tally): Promise<void> => {
  tally.add('deployment', 'checked');
  let fixes: readonly Fix[] = [];
  const outcome = await repaired({
    store,
    measure: () => measure(store, id),
    same: (one, other) =>
      one.version === other.version &&
      one.fixes.map(({ kind }) => kind).join() === other.fixes.map(({ kind }) => kind).join(),
    writes: (_, last) => {
      fixes = last.fixes;
      const isUnchanged = { condition: 'version = :version', values: { ':version': last.version } };
      return [{ check: keys.deployment(id), if: isUnchanged }, ...fixes.map(({ write }) => write)];
    },
  });
  if (outcome === 'right') return;
  if (outcome === 'busy') tally.add('deployment', 'busy', `deployment ${id}`);
  else for (const { kind } of fixes) tally.add(kind, outcome, `deployment ${id}`);
};

/** Returns whether the entry of an ended deployment shows the deployment as it is. */
export const isSummaryRight = async (store: Store, id: number): Promise<boolean> =>
  !(await measure(store, id))?.fixes.some(({ kind }) => kind === 'ended_summaries');

/** Removes a deployment that does not exist from the active ones. Both are written in one transaction. */
export const removeUnknownActive = async (
  store: Store,
  place: Key,
  id: number,
  tally: Tally,
): Promise<void> => {
  const outcome = await repaired({
    store,
    measure: async () => {
      const [deployment, active] = await store.getMany([keys.deployment(id), place], { consistent: true });
      return active && !deployment ? id : undefined;
    },
    same: () => true,
    writes: () => [
      { check: keys.deployment(id), if: { condition: 'attribute_not_exists(pk)' } },
      { delete: place },
    ],
  });
  if (outcome !== 'right') tally.add('active_deployments', outcome, `unknown deployment ${id}`);
};
