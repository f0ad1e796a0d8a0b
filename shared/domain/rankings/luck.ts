import { upperNormalQuantile } from './normal-quantile.ts';

/** Euler-Mascheroni constant. */
const GAMMA = 0.5772156649015329;

/**
 * Returns the figure that the best of a number of records has by luck alone, in standard errors: the expected maximum of
 * as many independent standard normal values. Records that resemble each other have less luck than that.
 *
 * Source: Bailey and López de Prado, The Deflated Sharpe Ratio, Journal of Portfolio Management 40 (5), 2014.
 */
export const luckOf = (records: number): number =>
  records < 2
    ? 0
    : (1 - GAMMA) * upperNormalQuantile(1 / records) + GAMMA * upperNormalQuantile(1 / (records * Math.E));

/** Annual figures of a record, and its length. */
export interface AnnualFigures {
  readonly sharpe_ratio: number;
  readonly cagr_pct: number;
  readonly volatility_pct: number;
  readonly years: number;
}

/** Figures that luck does not explain. */
export interface FiguresAfterLuck {
  readonly sharpe: number;
  readonly return_pct: number;
}

/**
 * Returns what is left of the figures of a record after the luck of the best of all records. A Sharpe ratio without skill
 * has the standard error 1/√T over T returns by day; per year that is 1/√years. The annual return takes the same cut in
 * units of its volatility.
 *
 * @param records number of records that all authors ever began.
 */
export const afterLuck = (
  { sharpe_ratio, cagr_pct, volatility_pct, years }: AnnualFigures,
  records: number,
): FiguresAfterLuck => {
  const luck = luckOf(records) / Math.sqrt(years);
  return { sharpe: sharpe_ratio - luck, return_pct: cagr_pct - luck * volatility_pct };
};
