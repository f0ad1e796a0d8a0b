import type { GetBacktestOutput, StrategyRulesOut } from '../../../../infra/client/package/src/index.ts';

type Rules = GetBacktestOutput['rules'];
type Tested = Pick<GetBacktestOutput, 'rules' | 'params' | 'symbols' | 'timeframe'>;

/** Writes a value with the keys of its records in order. */
const sortedText = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );

/** Returns the rules of a backtest with its values of parameters as defaults. */
export const testedRules = ({ rules, params }: Pick<Tested, 'rules' | 'params'>): Rules => ({
  ...rules,
  ...(rules.params && {
    params: Object.fromEntries(
      Object.entries(rules.params).map(([name, declared]) => [
        name,
        { ...declared, default: params[name] ?? declared.default },
      ]),
    ),
  }),
});

/** Tells whether a strategy trades what a backtest tested: the rules, values of parameters, symbols and bars. */
export const isAsTested = (
  tested: Tested,
  strategy: Pick<StrategyRulesOut, 'rules' | 'symbols' | 'timeframe'>,
): boolean =>
  sortedText(testedRules(tested)) === sortedText(strategy.rules) &&
  tested.timeframe === strategy.timeframe &&
  sortedText(tested.symbols.toSorted()) === sortedText(strategy.symbols.toSorted());
