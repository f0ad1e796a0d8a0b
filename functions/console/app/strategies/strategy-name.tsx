import { useResource } from '../ui/use-resource.ts';
import { findNames } from './own.ts';

/** Names of own strategies by their id. */
export type StrategyNames = ReadonlyMap<number, string>;

/** Loads the names of strategies by their ids; empty until they are there. */
export const useStrategyNames = (ids: readonly (number | null)[]): StrategyNames => {
  const wanted = [...new Set(ids)].filter((id) => id !== null).sort((a, b) => a - b);
  const names = useResource((signal) => findNames(wanted, signal), [wanted.join()]);
  return names.value ?? new Map();
};

interface StrategyNameProps {
  /** Null for rules that were tested without a strategy. */
  readonly id: number | null;
  readonly names: StrategyNames;
}

/** Strategy of a test, with a link to it. */
export const StrategyName = ({ id, names }: StrategyNameProps) =>
  id === null ? (
    <span class="muted">Unsaved rules</span>
  ) : (
    <a href={`#/strategies/${id}`}>{names.get(id) ?? `Strategy ${id}`}</a>
  );
