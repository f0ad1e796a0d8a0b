import { SUFFICIENT_TRADES } from '../../metrics/figures.ts';
import type { BacktestRun } from './run.ts';

/** Remark on a result, for its reader. */
export interface BacktestWarning {
  readonly code:
    | 'no_bars'
    | 'never_evaluated'
    | 'few_trades'
    | 'capital_too_small'
    | 'insufficient_funds'
    | 'ambiguous_bars'
    | 'ruined'
    | 'side_not_allowed';
  readonly message: string;
  readonly symbols?: readonly string[];
  readonly count?: number;
}

/** Returns the bars that left a fill open, which was decided against the trader. */
export const ambiguousBars = ({ legs }: BacktestRun): number =>
  legs.reduce((sum, { account }) => sum + account.ambiguousBars, 0);

const symbolsWhere = (run: BacktestRun, test: (leg: BacktestRun['legs'][number]) => boolean): string[] =>
  run.legs.filter(test).map(({ symbol }) => symbol);

const forSymbols = (
  symbols: readonly string[],
  code: BacktestWarning['code'],
  message: string,
): BacktestWarning[] => (symbols.length === 0 ? [] : [{ code, message, symbols }]);

const forCount = (count: number, code: BacktestWarning['code'], message: string): BacktestWarning[] =>
  count === 0 ? [] : [{ code, message, count }];

/** Returns the remarks on a finished backtest. Those on its candles are the caller's. */
export const warningsOf = (run: BacktestRun): BacktestWarning[] => {
  const { cancelled, tally } = run;
  const cancelledFor = (reason: 'too_small' | 'insufficient_funds') => cancelled.get(reason) ?? 0;
  const ambiguous = ambiguousBars(run);
  return [
    ...forSymbols(
      symbolsWhere(run, ({ account }) => account.bar === 0),
      'no_bars',
      'There are no bars in this span of time.',
    ),
    ...forSymbols(
      symbolsWhere(run, ({ account }) => account.bar > 0 && account.evaluatedFrom < 0),
      'never_evaluated',
      'The indicators need more bars than there are.',
    ),
    ...(tally.count < SUFFICIENT_TRADES
      ? [
          {
            code: 'few_trades',
            message: `Figures of fewer than ${SUFFICIENT_TRADES} trades say little.`,
            count: tally.count,
          } as const,
        ]
      : []),
    ...forCount(
      cancelledFor('too_small'),
      'capital_too_small',
      'Entries were cancelled because the capital was too small for one unit.',
    ),
    ...forCount(
      cancelledFor('insufficient_funds'),
      'insufficient_funds',
      'Entries were cancelled because they cost more than was available.',
    ),
    ...forCount(
      ambiguous,
      'ambiguous_bars',
      run.input.account.entry_bar === 'worst'
        ? 'Bars left open which price came first, and no smaller bars tell. Each was decided against the trader.'
        : 'Bars held both the stop and the target of a trade; they count as stopped.',
    ),
    ...forSymbols(
      symbolsWhere(run, ({ account }) => account.isRuined),
      'ruined',
      'The equity was used up.',
    ),
    ...forSymbols(
      symbolsWhere(run, ({ account, program }) =>
        program.trading.entries.some(
          ({ side }) => account.settings.direction === (side === 1 ? 'short' : 'long'),
        ),
      ),
      'side_not_allowed',
      'Entries of a side that is not allowed were left out.',
    ),
  ];
};
