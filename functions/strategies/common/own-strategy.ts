import type { Call } from '../../../shared/api/call.ts';
import { unknownStrategy } from '../../../shared/api/refusals.ts';
import { findStrategy, type Strategy } from '../../../shared/data/strategies/strategies.ts';

/** Reads a strategy of the user's own. @throws HubError strategy_unknown */
export const ownStrategy = async (call: Call, userId: string, strategyId: number): Promise<Strategy> => {
  const strategy = await findStrategy(call.store, strategyId);
  if (strategy?.user_id !== userId) throw unknownStrategy();
  return strategy;
};
