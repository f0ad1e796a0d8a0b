import type { BacktestTrade } from '../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../hub.ts';

/** Trades that a page shows of a backtest. */
const MOST_SHOWN = 2000;
const SIZE = 100;
/** Pages that are read at the same time. */
const AT_ONCE = 4;

interface Options {
  readonly signal?: AbortSignal;
  readonly most?: number;
}

/** Reads the first trades of a backtest, in the order of closing. */
export const loadTrades = async (
  { backtest_id, trades_count }: { readonly backtest_id: number; readonly trades_count: number },
  { signal, most = MOST_SHOWN }: Options = {},
): Promise<readonly BacktestTrade[]> => {
  const pages = Math.ceil(Math.min(most, trades_count) / SIZE);
  const trades: BacktestTrade[] = [];
  for (let first = 1; first <= pages; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, pages - first + 1) }, (_, index) => first + index);
    const read = await Promise.all(
      numbers.map((page) =>
        hub
          .getBacktestTrades({ user_id: ME, backtest_id, page, size: SIZE }, signal ? { signal } : {})
          .then(({ items }) => items),
      ),
    );
    trades.push(...read.flat());
  }
  return trades;
};
