/** Percent that a new backtest and a new paper deployment charge: moderate costs of a broker, the same for both. */
export const USUAL_COSTS = { commission: '0.05', spread: '0', slippage: '0.02' } as const;
