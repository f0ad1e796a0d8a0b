import { hub, ME } from '../../hub.ts';
import { useResource } from '../../ui/use-resource.ts';

/** Names of own strategies by their id. */
export type StrategyNames = ReadonlyMap<number, string>;

const MOST = 100;

/** Loads the names of own strategies; empty until they are there. */
export const useStrategyNames = (): StrategyNames => {
  const names = useResource(async (signal) => {
    const { items } = await hub.getStrategiesByUser({ user_id: ME, size: MOST }, { signal });
    return new Map(items.map(({ strategy_id, strategy_name }) => [strategy_id, strategy_name]));
  }, []);
  return names.value ?? new Map();
};

interface StrategyNameProps {
  /** Null for rules without a strategy. */
  readonly id: number | null;
  readonly names: StrategyNames;
}

/** Strategy of a test, with a link to it. */
export const StrategyName = ({ id, names }: StrategyNameProps) =>
  id === null ? (
    <span class="muted">Rules of their own</span>
  ) : (
    <a href={`#/strategies/${id}`}>{names.get(id) ?? `Strategy ${id}`}</a>
  );
