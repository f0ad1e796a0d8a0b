import type { CandleFacts } from './candle-facts.ts';
import type { ReportWarning } from './report.ts';

/** Facts on the candles of one symbol. */
export interface LegFacts {
  readonly symbol: string;
  readonly facts: CandleFacts;
}

const noteOf = (
  legs: readonly LegFacts[],
  countOf: (facts: CandleFacts) => number,
  code: string,
  message: string,
): ReportWarning[] => {
  const concerned = legs.filter(({ facts }) => countOf(facts) > 0);
  if (concerned.length === 0) return [];
  return [
    {
      code,
      message,
      symbols: concerned.map(({ symbol }) => symbol),
      count: concerned.reduce((sum, { facts }) => sum + countOf(facts), 0),
    },
  ];
};

/** Returns the remarks on the candles of a backtest. */
export const notesOnCandles = (legs: readonly LegFacts[]): ReportWarning[] => [
  ...noteOf(
    legs,
    ({ quality }) => quality.missing,
    'gaps',
    'Bars that the sessions of the exchange should have are missing.',
  ),
  ...noteOf(
    legs,
    ({ incomplete }) => incomplete,
    'incomplete_bars',
    'Bars were derived from smaller ones of which some are missing.',
  ),
  ...noteOf(
    legs,
    ({ quality }) => quality.suspicious,
    'suspicious_bars',
    'Bars jump further than is plausible, or have a very long wick. Check the prices.',
  ),
];
