import type { Call } from '../api/call.ts';
import { unknownUser } from '../api/refusals.ts';
import { asEndedTotals, type EndedTotals, strategyTotalsKey } from '../data/books/ended-totals.ts';
import { findRunning } from '../data/books/running-deployments.ts';
import type { TradingSummary } from '../data/books/summary.ts';
import type { OnDamaged } from '../data/table/damaged-items.ts';
import { type Items, itemWith } from '../data/table/items.ts';
import { keys } from '../data/table/keys.ts';
import type { Key } from '../data/table/writes.ts';

/** Reads a user with additional items in one call, and returns these. @throws HubError user_unknown */
export const readWithUser = async (call: Call, userId: string, wanted: readonly Key[]): Promise<Items> => {
  const [user, ...items] = await call.store.getMany([keys.user(userId), ...wanted], { consistent: true });
  if (!user) throw unknownUser();
  return items;
};

/**
 * Reads a user's running trading deployments, and ended ones with open positions or orders, newest first.
 *
 * @param onDamaged takes the errors of damaged ones. Without it, they are errors: sums and open positions must not lack one.
 * @throws HubError user_unknown
 */
export const readRunning = async (
  call: Call,
  userId: string,
  onDamaged?: OnDamaged,
): Promise<TradingSummary[]> => {
  const [, running] = await Promise.all([
    readWithUser(call, userId, []),
    findRunning(call.store, userId, onDamaged),
  ]);
  return running;
};

/** Deployments of one strategy: those still listed, and the sums over ended ones. */
export interface StrategyDeployments {
  readonly strategy_id: number;
  /** Running ones, and ended ones with open positions or orders, newest first. */
  readonly running: readonly TradingSummary[];
  readonly ended: EndedTotals;
}

/**
 * Reads the deployments and sums of a user's own strategies, at most 50, in three parallel calls.
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
    // A batch holds a hundred keys, so the user is read separately.
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
  for (const strategy_id of strategyIds) {
    if (itemWith(items, keys.ownedStrategy(userId, strategy_id)) === undefined) unknown_ids.push(strategy_id);
    else {
      found.push({
        strategy_id,
        running: running.filter((summary) => summary.strategy_id === strategy_id),
        ended: asEndedTotals(itemWith(items, strategyTotalsKey(userId, strategy_id))),
      });
    }
  }
  return { found, unknown_ids };
};
