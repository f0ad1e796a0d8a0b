import { activeDeploymentWrite } from '../data/books/active-deployments.ts';
import {
  endedTotalsKeys,
  endedTotalsWrite,
  groupOf,
  isNoChange,
  totalsChange,
  totalsOfOne,
} from '../data/books/ended-totals.ts';
import type { ListEntries } from '../data/books/list-entries.ts';
import { unpackLedger } from '../data/books/packed-ledger.ts';
import { isExposed, packedSummary, summaryOf, type TradingSummary } from '../data/books/summary.ts';
import type { TradingDeployment } from '../data/deployments/deployments.ts';
import { editKeys, ListEdit } from '../data/numbered-list/list-edit.ts';
import { entryKey, type NumberedList } from '../data/numbered-list/numbered-list.ts';
import { bounded, keys } from '../data/table/keys.ts';
import type { Key, Write } from '../data/table/store.ts';
import { isFinalDeploymentStatus } from '../domain/deployments/deployment-states.ts';
import type { Ledger } from '../domain/ledger/ledger-state.ts';

type Item = Readonly<Record<string, unknown>>;

/** The live deployments of a user that have ended: those of prediction markets apart from the others. */
export const endedList = (userId: string, predictionMarket: boolean): NumberedList => ({
  pk: `LIVE_ENDED#${predictionMarket ? 'PREDICTION' : 'MARKET'}#${bounded(userId)}`,
});

const listOf = ({ user_id, prediction_market }: TradingDeployment): NumberedList =>
  endedList(user_id, prediction_market);

/** What has to be read before a live deployment can end. */
export const endingKeys = (deployment: TradingDeployment): Key[] => [
  ...editKeys(listOf(deployment)),
  ...endedTotalsKeys(deployment.user_id, deployment),
];

/** Puts what the owner's lists show of a deployment where they look for it; removes it where nothing is left to happen. */
export const listedWrite = (userId: string, summary: TradingSummary): Write => {
  const isEnded = isFinalDeploymentStatus(summary.status);
  const key = keys.listedTrading(userId, isEnded, summary.deployment_id);
  if (isEnded && !isExposed(summary)) return { delete: key };
  return { key, set: { entity: 'live_summary', ...packedSummary(summary) } };
};

/** Takes a deployment that ends from those that run; it stays listed while something of it is open. */
const endedWrites = (userId: string, summary: TradingSummary): Write[] => [
  { delete: keys.listedTrading(userId, false, summary.deployment_id) },
  ...(isExposed(summary) ? [listedWrite(userId, summary)] : []),
];

/** How a change of a live deployment is written beside its own item. */
export interface TradingWrites {
  readonly deployment: TradingDeployment;
  readonly edits: readonly ListEdit[];
  readonly writes: readonly Write[];
  /** What the sums over ended deployments have to be told. */
  readonly totals: ListEntries['totals'];
}

const span = (summary: TradingSummary) => ({ from: summary.deployed_at, to: summary.updated_at });

/**
 * The writes that keep the owner's lists in step with a live deployment: the summary where it runs, and
 * once it has ended, its entry among the ended ones and the sums over those.
 *
 * @param ledger the ledger of `after`, where it was unpacked.
 * @param items what was read of {@link endingKeys}, where the deployment ends with this change.
 */
export const tradingWrites = (
  before: TradingDeployment,
  after: TradingDeployment,
  ledger: Ledger | undefined,
  items: readonly (Item | undefined)[],
): TradingWrites => {
  const summary = summaryOf(after, ledger ?? unpackLedger(after.ledger));
  const listed = listedWrite(after.user_id, summary);
  if (!isFinalDeploymentStatus(after.status)) {
    return { deployment: after, edits: [], writes: [listed], totals: undefined };
  }
  const own = { group: groupOf(summary), ...span(summary) };
  const entry = { entity: 'live_ended', ...packedSummary(summary) };
  if (before.ended_seq === undefined) {
    const edit = new ListEdit(listOf(after), items);
    const ended_seq = edit.append(entry);
    const find = ({ pk, sk }: Key) => items.find((item) => item?.pk === pk && item.sk === sk);
    const sums = endedTotalsKeys(after.user_id, after).map((key) =>
      endedTotalsWrite(key, find(key), { ...own, change: totalsOfOne(summary) }),
    );
    return {
      deployment: { ...after, ended_seq },
      edits: [edit],
      writes: [...endedWrites(after.user_id, summary), ...sums],
      totals: undefined,
    };
  }
  const earlier = summaryOf(before, unpackLedger(before.ledger));
  const change = totalsChange(totalsOfOne(earlier), totalsOfOne(summary));
  const { strategy_id, prediction_market } = after;
  const isOpenAgain = isExposed(summary) && !isExposed(earlier);
  return {
    deployment: after,
    edits: [],
    writes: [
      listed,
      { key: entryKey(listOf(after), before.ended_seq), set: entry },
      // The jobs may have let go of it.
      ...(isOpenAgain ? [activeDeploymentWrite(after.deployment_id)] : []),
    ],
    // Quotes of what is still open come often, and add nothing.
    totals: isNoChange(change) ? undefined : { strategy_id, prediction_market, ...own, change },
  };
};
