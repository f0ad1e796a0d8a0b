import type { AnnualFigures } from './luck.ts';

const YEAR_MS = 365 * 86_400_000;

/** Holds the shown performance of a strategy, as far as ranks depend on it. */
export interface RankableCard {
  readonly performance: {
    readonly source?: string | undefined;
    readonly status?: string | undefined;
    readonly unranked?: string | undefined;
    readonly sample_sufficient?: boolean | undefined;
    readonly since?: string | undefined;
    readonly as_of: string | null;
    readonly sharpe_ratio: number | null;
    readonly cagr_pct: number | null;
    readonly volatility_pct?: number | null | undefined;
    readonly max_drawdown_pct: number | null;
  };
}

/** Figures by which a strategy is ranked. */
export interface RankedFigures extends AnnualFigures {
  readonly drawdown_pct: number;
}

/**
 * Returns the figures by which a strategy is ranked; undefined if it is not: figures that the hub did not make itself, a
 * record that is too short, has no new bars, or is not ranked for another cause, and a record without any change of equity.
 */
export const rankedFigures = ({ performance }: RankableCard): RankedFigures | undefined => {
  const { source, status, unranked, sample_sufficient, since, as_of } = performance;
  if (source !== 'record' || status !== 'running' || unranked !== undefined || !sample_sufficient)
    return undefined;
  const { sharpe_ratio, cagr_pct, volatility_pct, max_drawdown_pct } = performance;
  if (since === undefined || as_of === null) return undefined;
  if (sharpe_ratio === null || cagr_pct === null || max_drawdown_pct === null) return undefined;
  if (volatility_pct === undefined || volatility_pct === null) return undefined;
  const years = (Date.parse(as_of) - Date.parse(since)) / YEAR_MS;
  return { sharpe_ratio, cagr_pct, volatility_pct, drawdown_pct: max_drawdown_pct, years };
};
