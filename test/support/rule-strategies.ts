import type { TestHub } from './hub.ts';
import { crossRules } from './rules.ts';
import { build, person, setRules } from './strategies.ts';

/** Creates a user with a strategy that has rules, by default over daily bars of SPY. */
export const ruleTrader = async (
  hub: TestHub,
  {
    symbol = 'SPY',
    timeframe = '1d',
    rules = crossRules(2, 4),
    user_id: known,
  }: {
    readonly symbol?: string;
    readonly timeframe?: string;
    readonly rules?: unknown;
    readonly user_id?: string;
  } = {},
) => {
  const user_id = known ?? (await person(hub)).user_id;
  const { keygen, strategy_id } = (await build(hub, { user_id, symbol, timeframe })).body;
  const set = await setRules(hub, { user_id, strategy_id }, rules);
  if (set.status !== 200) throw new Error(set.text);
  return { user_id, keygen: String(keygen), strategy_id: Number(strategy_id) };
};
