import { type BarColumns, barCount } from '../candles/bars.ts';
import type { ReportTrade } from '../engine/backtest/report.ts';
import type { AssetClass } from '../instruments/instruments.ts';

/** Part of the median bar's traded value that an order may have. */
const MOST_OF_BAR = 0.01;

/** Classes whose volumes are traded quantities. Those of currencies and contracts over the counter are counts of prices. */
const WITH_VOLUME: ReadonlySet<AssetClass> = new Set(['equity', 'crypto']);

/** Returns the median traded value of bars; undefined if their volume is not known. */
export const medianValue = (bars: BarColumns, assetClass: AssetClass): number | undefined => {
  if (!WITH_VOLUME.has(assetClass)) return undefined;
  const values: number[] = [];
  for (let index = 0; index < barCount(bars); index += 1) {
    const volume = bars.volume[index] ?? 0;
    if (volume > 0) values.push(volume * Math.abs(bars.close[index] ?? 0));
  }
  return values.length === 0 ? undefined : values.toSorted((a, b) => a - b)[values.length >> 1];
};

/** Returns whether the order of a trade was larger than the market could take without moving. */
export const isTooLarge = (
  { quantity, entry_price: price }: Pick<ReportTrade, 'quantity' | 'entry_price'>,
  contractSize: number,
  median: number | undefined,
): boolean => median !== undefined && Math.abs(quantity * contractSize * price) > MOST_OF_BAR * median;
