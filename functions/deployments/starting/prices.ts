import * as z from 'zod';
import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { extra } from '../../../shared/api/fields.ts';
import { marketIn } from '../../../shared/data/candles/markets.ts';
import { findNewestSeries } from '../../../shared/data/candles/newest-series.ts';
import { priceStates } from '../../../shared/data/candles/price-sources.ts';
import type { Items } from '../../../shared/data/table/items.ts';
import type { Universe } from '../../../shared/domain/instruments/instrument-records.ts';
import type { Choice } from './hub-run.ts';

/** Form field that decides about a deployment for which no prices arrive: it waits for them, or is refused. */
export const pricesForm = { prices: extra(z.enum(['awaited', 'required']).default('awaited')) };

const WAYS_OUT =
  'Trade an instrument of the demo market, replay recorded candles (`replay_from`) on the local service, or connect a feed that sends their bars.';

const missing = (text: string): HubError => new HubError('prices_missing', `${text} ${WAYS_OUT}`);

/** Requires that bars of symbols arrive now. @param items read at the keys of the choice. @throws HubError prices_missing */
export const requirePrices = async (
  call: Call,
  { symbols, timeframe }: Pick<Choice, 'symbols' | 'timeframe'>,
  items: Items,
): Promise<void> => {
  const stateOf = await priceStates(call);
  for (const symbol of symbols) {
    const { series, instrument } = marketIn(items, symbol, timeframe);
    if (!series) throw missing(`There are no candles of ${symbol} here.`);
    if (stateOf(series, instrument?.exchange) !== 'ended') continue;
    const newest = new Date(series.last).toISOString().slice(0, 10);
    throw missing(`No prices of ${symbol} arrive: its newest candle is of ${newest}.`);
  }
};

/** Requires that bars of an instrument of a universe arrive now. @throws HubError prices_missing */
export const requireScannedPrices = async (call: Call, { symbols, name }: Universe): Promise<void> => {
  const never = new Map(symbols.map((symbol) => [symbol, 0]));
  const [series, stateOf] = await Promise.all([findNewestSeries(call.store, never), priceStates(call)]);
  if (series.some((one) => stateOf(one) !== 'ended')) return;
  throw missing(`No prices of “${name}” arrive.`);
};
