import type { Call } from '../../shared/api/call.ts';
import { unknownUser } from '../../shared/api/refusals.ts';
import { asMarks, NO_MARKS, type StrategyMarks } from '../../shared/data/strategies/strategy-marks.ts';
import type { Item } from '../../shared/data/table/attributes.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { Key } from '../../shared/data/table/writes.ts';

/**
 * Reads the viewer's likes and copies, with the other items that the list needs, in one call.
 *
 * @param userId absent for an anonymous viewer
 * @throws HubError user_unknown
 */
export const readViewer = async (
  call: Call,
  userId: string | undefined,
  more: readonly Key[] = [],
): Promise<{ marks: StrategyMarks; items: (Item | undefined)[] }> => {
  if (userId === undefined) {
    return { marks: NO_MARKS, items: await call.store.getMany(more, { consistent: true }) };
  }
  const [user, marks, ...items] = await call.store.getMany(
    [keys.user(userId), keys.strategyMarks(userId), ...more],
    { consistent: true },
  );
  if (!user) throw unknownUser();
  return { marks: asMarks(marks), items };
};
