import { retryOnConflict } from '../data/numbered-list/retry.ts';
import { changeLike } from '../data/strategies/likes.ts';
import { listOwnedStrategies } from '../data/strategies/owned-strategies.ts';
import { findStrategies, isKeyEnded, replaceKeygen } from '../data/strategies/strategies.ts';
import { asMarks } from '../data/strategies/strategy-marks.ts';
import { keys } from '../data/table/keys.ts';
import { deployKey } from '../domain/strategies/strategy-keys.ts';
import type { Runtime } from '../runtime.ts';
import { stopDeployments } from './stop-deployments.ts';

const REASON = 'It was made before the owner confirmed the e-mail.';
const PAGE = 100;

/** Replaces the deploy keys that ended. @returns their number */
const replaceKeys = async ({ store, clock, random }: Runtime, userId: string, made_since: string) => {
  const ids = (await listOwnedStrategies(store, userId)).map(({ strategy_id }) => strategy_id);
  let replaced = 0;
  for (let start = 0; start < ids.length; start += PAGE) {
    const found = await findStrategies(store, ids.slice(start, start + PAGE));
    for (const strategy of found) {
      if (!strategy || !isKeyEnded(strategy, { made_since })) continue;
      const { strategy_id: id } = strategy;
      await replaceKeygen(store, { userId, id, keygen: deployKey(id, random), now: clock() });
      replaced += 1;
    }
  }
  return replaced;
};

/** Takes back the likes of a user. */
const takeLikesBack = async ({ store, clock }: Runtime, userId: string): Promise<void> => {
  const [marks] = await store.getMany([keys.strategyMarks(userId)], { consistent: true });
  for (const strategyId of asMarks(marks).liked) {
    await retryOnConflict(() => changeLike(store, { userId, strategyId, liked: false }, clock()));
  }
};

/**
 * Ends what was made in an account before its owner proved the e-mail: stops deployments, replaces deploy keys, and takes
 * likes back after a new password. A key is refused from the proof on, also before this. Idempotent.
 */
export const endMadeBefore = async (
  runtime: Runtime,
  userId: string,
  { before, likes }: { readonly before: string; readonly likes: boolean },
): Promise<void> => {
  await stopDeployments(runtime, userId, { by: 'user', reason: REASON, deployedBefore: before });
  await replaceKeys(runtime, userId, before);
  if (likes) await takeLikesBack(runtime, userId);
};
