import type { StrategyOut } from '../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../hub.ts';

const PAGE_SIZE = 100;

/** Reads all items of a list. */
export const allOf = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/** Reads own strategies: built ones, then copies. */
export async function* ownStrategies(signal: AbortSignal): AsyncGenerator<StrategyOut, void, undefined> {
  for (const is_copied of [0, 1] as const) {
    yield* hub.getStrategiesByUser({ user_id: ME, is_copied, size: PAGE_SIZE }, { signal });
  }
}

/** Finds the names of own strategies by their ids. Reads only as many pages as it takes. */
export const findNames = async (
  ids: readonly number[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> => {
  const missing = new Set(ids);
  const names = new Map<number, string>();
  if (missing.size === 0) return names;
  for await (const { strategy_id: id, strategy_name } of ownStrategies(signal)) {
    if (missing.delete(id)) names.set(id, strategy_name);
    if (missing.size === 0) break;
  }
  return names;
};
