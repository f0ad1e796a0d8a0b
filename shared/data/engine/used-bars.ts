import * as z from 'zod';
import type { BarColumns } from '../../domain/candles/bars.ts';
import { packBars } from '../../domain/candles/packing.ts';
import type { UsedBars } from '../../domain/engine/running/paper-fills.ts';
import { packedBars } from '../candles/packed-bars.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { parseListed } from '../table/parse-item.ts';
import type { Write } from '../table/writes.ts';

/** Schema of smaller bars that decided about fills of an account. */
export const usedBarsSchema = z.object({ start: z.number(), bars: packedBars });

const itemSchema = usedBarsSchema.extend({ symbol: z.string() });

/** Returns the stored form of smaller bars. */
export const storedUsedBars = ({ start, bars }: UsedBars) => ({ start, bars: packBars(bars) });

/** Returns the write that notes the smaller bars with the fills that they decided about, for later backtests. */
export const usedBarsWrite = (deploymentId: number, symbol: string, used: UsedBars): Write => ({
  put: {
    ...storedUsedBars(used),
    symbol,
    ...keys.usedBars(deploymentId, symbol, used.start),
    entity: 'engine_used_bars',
  },
});

/** Returns the smaller bars among the items of a deployment that decided about fills of a symbol, by the start of the bar. */
export const usedBarsIn = (items: readonly Item[], symbol: string): ReadonlyMap<number, BarColumns> => {
  const own = items.filter(({ entity }) => entity === 'engine_used_bars');
  return new Map(
    parseListed(itemSchema, own)
      .filter((one) => one.symbol === symbol)
      .map(({ start, bars }) => [start, bars]),
  );
};
