import { oldAfterMs } from '../../../../shared/domain/deployments/engines.ts';
import { DEMO_EXCHANGE, isReplaySymbol } from '../../../../shared/domain/instruments/instruments.ts';
import type { Timeframe } from '../../../../shared/domain/strategies/strategies.ts';
import { format } from '../format.ts';

/** Tells whether one of the symbols is of the demo market or a replay, whose time is its own. */
export const hasOwnTime = (symbols: readonly string[]): boolean =>
  symbols.some((symbol) => symbol.endsWith(`.${DEMO_EXCHANGE}`) || isReplaySymbol(symbol));

/** Newest bar of a symbol. */
export interface NewestBar {
  readonly symbol: string;
  /** Start of the bar; null if there is none. */
  readonly start: string | null;
}

/** Writes of which symbols there are no new prices, as sentences. */
export const oldPricesTexts = (
  bars: readonly NewestBar[],
  timeframe: Timeframe,
  now: number,
  dayText: (start: string) => string = (start) => format.bar(start, '1d').text,
): string[] =>
  bars.flatMap(({ symbol, start }) => {
    if (hasOwnTime([symbol])) return [];
    if (start === null) return [`There are no prices of ${symbol} here.`];
    if (now - Date.parse(start) <= oldAfterMs(timeframe)) return [];
    return [
      `The newest bar of ${symbol} is of ${dayText(start)}, ${format.age(start, now)}: there are no newer prices here.`,
    ];
  });
