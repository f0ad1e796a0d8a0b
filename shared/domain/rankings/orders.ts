/** Orders of a ranking. `return` and `sharpe` take what is left after luck. */
export const RANK_SORTS = ['newest', 'return', 'sharpe', 'drawdown'] as const;
export type RankSort = (typeof RANK_SORTS)[number];

/** Drawdown below which a ranking can be limited, in percent. */
export const LOW_DRAWDOWN_PCT = 20;
