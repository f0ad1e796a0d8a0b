import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { asEndedTotals, type EndedTotals, strategyTotalsKey } from '../../shared/data/books/ended-totals.ts';
import { findRunning } from '../../shared/data/books/running-deployments.ts';
import type { TradingSummary } from '../../shared/data/books/summary.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { Key } from '../../shared/data/table/store.ts';

type Item = Readonly<Record<string, unknown>>;

/** Reads a user, and in the same call what else is wanted of them. @throws HubError user_unknown */
export const readWithUser = async (
  call: Call,
  userId: string,
  wanted: readonly Key[],
): Promise<(Item | undefined)[]> => {
  const [user, ...items] = await call.store.getMany([keys.user(userId), ...wanted], { consistent: true });
  if (!user) throw new HubError('user_unknown', 'There is no such user.');
  return items;
};

/**
 * Reads a user's live deployments that run, and those that have ended with something still open, newest first.
 *
 * @throws HubError user_unknown
 */
export const readRunning = async (call: Call, userId: string): Promise<TradingSummary[]> => {
  const [, running] = await Promise.all([readWithUser(call, userId, []), findRunning(call.store, userId)]);
  return running;
};

/** What a user's deployments of a strategy add up to: those that are still listed, and the sums over ended ones. */
export interface StrategyDeployments {
  readonly strategy_id: number;
  /** Those that run and those that have ended with something still open, newest first. */
  readonly running: readonly TradingSummary[];
  readonly ended: EndedTotals;
}

/**
 * Reads what the deployments of a user's own strategies, at most 50, add up to, however many they are: three
 * calls at once.
 *
 * @throws HubError user_unknown
 */
export const readStrategyDeployments = async (
  call: Call,
  userId: string,
  strategyIds: readonly number[],
): Promise<{ found: StrategyDeployments[]; unknown_ids: number[] }> => {
  const [, items, running] = await Promise.all([
    call.user(),
    // A batch has room for a hundred keys: the user is read apart from it.
    call.store.getMany(
      [
        ...strategyIds.map((id) => keys.ownedStrategy(userId, id)),
        ...strategyIds.map((id) => strategyTotalsKey(userId, id)),
      ],
      { consistent: true },
    ),
    findRunning(call.store, userId),
  ]);
  const found: StrategyDeployments[] = [];
  const unknown_ids: number[] = [];
  for (const [index, strategy_id] of strategyIds.entries()) {
    if (items[index] === undefined) unknown_ids.push(strategy_id);
    else {
      found.push({
        strategy_id,
        running: running.filter((summary) => summary.strategy_id === strategy_id),
        ended: asEndedTotals(items[strategyIds.length + index]),
      });
    }
  }
  return { found, unknown_ids };
};
