import type { Timeframe } from '../../../../../shared/domain/strategies/strategies.ts';

/** Name and market of a strategy. */
export interface Market {
  readonly name: string;
  readonly symbols: readonly string[];
  readonly timeframe: Timeframe;
}
