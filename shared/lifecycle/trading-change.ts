import { activeDeploymentWrite } from '../data/books/active-deployments.ts';
import { endedEntry, endedList, lateEntryWrite } from '../data/books/ended-entries.ts';
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
import { beginningOf, isExposed, summaryOf, type TradingSummary } from '../data/books/summary.ts';
import type { TradingDeployment } from '../data/deployments/deployments.ts';
import { editKeys, ListEdit } from '../data/numbered-list/list-edit.ts';
import { entryKey, type NumberedList } from '../data/numbered-list/numbered-list.ts';
import { type Items, itemWith } from '../data/table/items.ts';
import { keys } from '../data/table/keys.ts';
import type { Key, Write } from '../data/table/writes.ts';
import { isFinalDeploymentStatus } from '../domain/deployments/deployment-states.ts';
import type { Ledger } from '../domain/ledger/ledger-state.ts';

const listOf = ({ user_id, prediction_market }: TradingDeployment): NumberedList =>
  endedList(user_id, { prediction_market });

/** Returns the keys to read before a trading deployment can end. */
export const endingKeys = (deployment: TradingDeployment): Key[] => [
  ...editKeys(listOf(deployment)),
  ...endedTotalsKeys(deployment.user_id, deployment),
];

/** Returns the write that updates a deployment's summary, or removes it if the deployment ended with nothing open. */
export const listedWrite = (userId: string, summary: TradingSummary): Write => {
  const isEnded = isFinalDeploymentStatus(summary.status);
  const key = keys.listedTrading(userId, isEnded, summary.deployment_id);
  if (isEnded && !isExposed(summary)) return { delete: key };
  return { key, set: { entity: 'live_summary', summary } };
};

/** Returns the writes that move an ended deployment from the running ones; it stays listed while something is open. */
const endedWrites = (userId: string, summary: TradingSummary): Write[] => [
  { delete: keys.listedTrading(userId, false, summary.deployment_id) },
  ...(isExposed(summary) ? [listedWrite(userId, summary)] : []),
];

/** Writes that belong to a change of a trading deployment, without its own item. */
export interface TradingWrites {
  readonly deployment: TradingDeployment;
  readonly edits: readonly ListEdit[];
  readonly writes: readonly Write[];
  /** Set if the totals of ended deployments change. */
  readonly totals: ListEntries['totals'];
}

const span = (summary: TradingSummary) => ({ from: beginningOf(summary), to: summary.updated_at });

/** Names what an entry of the hub's engine changes while it waits. */
const COUNTS: ReadonlySet<string> = new Set(['orders_today', 'minute', 'orders_minute', 'entering']);

/** Fields that a change has without showing in a list. */
const UNLISTED: ReadonlySet<string> = new Set(['risk', 'overall', 'updated_at']);

const isSame = (one: object, other: object, except: ReadonlySet<string>): boolean => {
  const [left, right] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  return [...left.keys(), ...right.keys()].every(
    (name) => except.has(name) || left.get(name) === right.get(name),
  );
};

/** Returns whether a change only counts an entry that waits. Lists count it with its order: when it is filled or ends. */
const isWaitCounted = (before: TradingDeployment, after: TradingDeployment): boolean =>
  after.risk?.entering !== undefined &&
  before.risk !== undefined &&
  isSame(before, after, UNLISTED) &&
  isSame(before.risk, after.risk, COUNTS);

/**
 * Builds the writes that keep the owner's lists consistent with a trading deployment: its summary, and once it has
 * ended, its entry among the ended ones and their totals.
 *
 * @param ledger the ledger of `after`, if it was unpacked.
 * @param items result of reading {@link endingKeys}, if the deployment ends with this change.
 */
export const tradingWrites = (
  before: TradingDeployment,
  after: TradingDeployment,
  ledger: Ledger | undefined,
  items: Items,
): TradingWrites => {
  if (isWaitCounted(before, after)) return { deployment: after, edits: [], writes: [], totals: undefined };
  const summary = summaryOf(after, ledger ?? unpackLedger(after.ledger));
  const listed = listedWrite(after.user_id, summary);
  if (!isFinalDeploymentStatus(after.status)) {
    return { deployment: after, edits: [], writes: [listed], totals: undefined };
  }
  const own = { group: groupOf(summary), ...span(summary) };
  if (before.ended_seq === undefined) {
    const edit = new ListEdit(listOf(after), items);
    const ended_seq = edit.append(endedEntry(summary));
    const sums = endedTotalsKeys(after.user_id, after).map((key) =>
      endedTotalsWrite(key, itemWith(items, key), { ...own, change: totalsOfOne(summary) }),
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
      lateEntryWrite(entryKey(listOf(after), before.ended_seq), earlier, summary),
      // The jobs may have removed it from the active deployments.
      ...(isOpenAgain ? [activeDeploymentWrite(after)] : []),
    ],
    // Quotes for open positions are frequent and change no total.
    totals: isNoChange(change)
      ? undefined
      : { strategy_id, prediction_market, ...own, ended_seq: before.ended_seq },
  };
};
