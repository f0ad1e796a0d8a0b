import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { findStrategies, type Strategy } from '../../shared/data/strategies/strategies.ts';

/** Answers an unknown strategy and a private one of another user alike. */
export const unknownStrategy = (): HubError => new HubError('strategy_unknown', 'There is no such strategy.');

/** Reads a strategy of the user's own. @throws HubError strategy_unknown */
export const ownStrategy = async (call: Call, userId: string, strategyId: number): Promise<Strategy> => {
  const [strategy] = await findStrategies(call.store, [strategyId]);
  if (strategy?.user_id !== userId) throw unknownStrategy();
  return strategy;
};
