import { createHash } from 'node:crypto';
import type { BacktestSetup, BacktestSetupLeg } from '../../domain/engine/backtest/setup.ts';
import { canonicalRules } from '../../domain/engine/rules/canonical.ts';
import type { ResolvedRules } from '../../domain/engine/rules/params.ts';

const ID_LENGTH = 22;
/** Part of every id. */
const FORM = 1;

/** Returns the id of the program of each leg. Deployments of the same rules, symbol and timeframe share a program. */
export const programIdsOf = (
  {
    timeframe,
    legs,
  }: Pick<BacktestSetup, 'timeframe'> & {
    readonly legs: readonly Pick<BacktestSetupLeg, 'symbol' | 'source' | 'calendar'>[];
  },
  rules: ResolvedRules,
): string[] => {
  const text = canonicalRules(rules);
  return legs.map(({ symbol, source, calendar }) =>
    createHash('sha256')
      .update(JSON.stringify([text, symbol, timeframe, source, calendar, FORM]))
      .digest('base64url')
      .slice(0, ID_LENGTH),
  );
};
