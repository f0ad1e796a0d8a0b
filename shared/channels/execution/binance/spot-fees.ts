import { decimal, scaled, toText } from '../../../domain/money.ts';
import { UnreadableAnswerError } from '../execution-broker.ts';
import { type Fill, priceSchema, type SpotOrder, sumOf, tradesSchema } from './binance-fields.ts';
import type { SpotCalls } from './spot-calls.ts';
import type { SymbolRules } from './symbol-rules.ts';

/** Time after an order's last change in which its trades may not all be listed, in milliseconds. */
const LISTED_WITHIN_MS = 60_000;
const PAGE_TRADES = 1_000;

/**
 * Reads the fills of an order.
 *
 * @throws UnreadableAnswerError while the list is behind the order: its last report would lack fees.
 */
export const readFills = async (
  { read }: SpotCalls,
  { symbol, orderId, executedQty, updatedAt, fills }: SpotOrder,
  now: number,
): Promise<readonly Fill[]> => {
  if (decimal(executedQty).eq(0)) return [];
  const isWhole = (found: readonly Fill[]): boolean =>
    sumOf(found, ({ qty }) => decimal(qty)).gte(executedQty);
  if (fills && isWhole(fills)) return fills;
  const params = { symbol, orderId, limit: PAGE_TRADES };
  const trades =
    (await read(tradesSchema, { api: 'private', method: 'GET', path: 'myTrades', params })) ?? [];
  // An order with more trades than a page has them in the order of time, and their fees count in part.
  if (!isWhole(trades) && trades.length < PAGE_TRADES && now < updatedAt + LISTED_WITHIN_MS) {
    throw new UnreadableAnswerError('the trades of an order are not listed yet');
  }
  return trades;
};

/** Reads the average price of an asset; zero if Binance has no such pair. */
const readPrice = async ({ read }: SpotCalls, asset: string, quote: string) => {
  const params = { symbol: `${asset}${quote}` };
  const found = await read(priceSchema, { api: 'public', method: 'GET', path: 'avgPrice', params });
  return decimal(found?.price ?? '0');
};

/**
 * Returns the fees of an order in the quote asset. Fees in the bought asset lack in the position, and are booked with its
 * close. Others, such as BNB, count at their average price of the last minutes.
 *
 * @throws BrokerLaterError
 */
export const readFees = async (
  calls: SpotCalls,
  { side }: SpotOrder,
  fills: readonly Fill[],
  { baseAsset: base, quoteAsset: quote }: Pick<SymbolRules, 'baseAsset' | 'quoteAsset'>,
): Promise<string> => {
  let fees = decimal('0');
  for (const [asset, charged] of Map.groupBy(fills, ({ commissionAsset }) => commissionAsset)) {
    if (asset === base && side === 'BUY') continue;
    const amount = sumOf(charged, ({ commission }) => decimal(commission));
    if (amount.eq(0)) continue;
    const price = asset === quote ? decimal('1') : await readPrice(calls, asset, quote);
    fees = fees.plus(scaled(amount.times(price)));
  }
  return toText(fees);
};
