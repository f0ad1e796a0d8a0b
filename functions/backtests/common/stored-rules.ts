import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';
import { type ResolvedRules, resolveParams } from '../../../shared/domain/engine/rules/params.ts';
import { rulesSchema } from '../../../shared/domain/engine/rules/schema.ts';

/** Returns the rules of a stored backtest, with the values of their parameters. */
export const storedRules = (setup: BacktestSetup): ResolvedRules => {
  const result = resolveParams(rulesSchema.parse(JSON.parse(setup.rules)), setup.params);
  if ('rules' in result) return result.rules;
  throw new Error('the stored rules of a backtest do not fit their parameters');
};
