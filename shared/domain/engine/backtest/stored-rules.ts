import * as z from 'zod';
import { type ResolvedRules, resolveParams } from '../rules/params.ts';
import { rulesSchema } from '../rules/schema.ts';
import type { BacktestSetup } from './setup.ts';

/** Returns the rules of a stored setup, with the values of their parameters. */
export const storedRules = (setup: Pick<BacktestSetup, 'rules' | 'params'>): ResolvedRules => {
  const result = resolveParams(rulesSchema.parse(JSON.parse(setup.rules)), setup.params);
  if ('rules' in result) return result.rules;
  throw new Error('the stored rules of a backtest do not fit their parameters');
};

const rulesRecord = z.record(z.string(), z.unknown());

/** Returns the rules of a stored setup as they were given. */
export const givenRules = ({ rules }: Pick<BacktestSetup, 'rules'>) => rulesRecord.parse(JSON.parse(rules));
