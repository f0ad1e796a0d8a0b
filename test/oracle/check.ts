import { candlesOf, rulesCaseSchema, signalsCaseSchema } from './cases.ts';
import { checkRulesCase } from './rules-case.ts';
import { checkSignalsCase } from './signals-case.ts';

/** Runs the backtest of a case of another program. Returns the differences. */
export const checkCase = (json: object, data: string): string[] => {
  if ('signals' in json) {
    const test = signalsCaseSchema.parse(json);
    return checkSignalsCase(test, candlesOf(data, test.candles));
  }
  const test = rulesCaseSchema.parse(json);
  return checkRulesCase(test, candlesOf(data, test.candles));
};
