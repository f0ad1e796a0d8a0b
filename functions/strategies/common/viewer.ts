import type { Call } from '../../../shared/api/call.ts';
import { unknownUser } from '../../../shared/api/refusals.ts';
import { asMarks, NO_MARKS, type StrategyMarks } from '../../../shared/data/strategies/strategy-marks.ts';
import { type Items, itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Key } from '../../../shared/data/table/writes.ts';

/**
 * Reads the viewer's likes and copies, with the other items that the list needs, in one call.
 *
 * @param userId absent for an anonymous viewer
 * @throws HubError user_unknown
 */
export const readViewer = async (
  call: Call,
  userId: string | undefined,
  extraReads: readonly Key[] = [],
): Promise<{ marks: StrategyMarks; items: Items }> => {
  if (userId === undefined) {
    return { marks: NO_MARKS, items: await call.store.getMany(extraReads, { consistent: true }) };
  }
  const [userKey, marksKey] = [keys.user(userId), keys.strategyMarks(userId)];
  const items = await call.store.getMany([userKey, marksKey, ...extraReads], { consistent: true });
  if (!itemWith(items, userKey)) throw unknownUser();
  return { marks: asMarks(itemWith(items, marksKey)), items };
};
