import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { extra, integer, timeOfRequest } from '../../../shared/api/fields.ts';
import { invalidValue } from '../../../shared/api/refusals.ts';
import { importBars } from '../../../shared/data/candles/import-bars.ts';
import { isHidden } from '../../../shared/data/candles/is-hidden.ts';
import { marketIn, marketKeys } from '../../../shared/data/candles/markets.ts';
import { readCandles, readNewestCandles } from '../../../shared/data/candles/read-candles.ts';
import type { Series } from '../../../shared/data/candles/series.ts';
import type { Replay, TradeMode } from '../../../shared/data/deployments/trading-record.ts';
import type { Strategy } from '../../../shared/data/strategies/strategies.ts';
import type { Items } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { barCount } from '../../../shared/domain/candles/bars.ts';
import type { Instrument } from '../../../shared/domain/instruments/instrument-records.ts';
import {
  hasOwnClock,
  REPLAY_EXCHANGE,
  replaySymbol,
} from '../../../shared/domain/instruments/instruments.ts';
import type { Choice } from './hub-run.ts';

/** Source of the candles of replays. No track record takes it. */
const SOURCE = 'replay';
/** Candles before the replay begins, so that indicators have values at once. */
const PAST_BARS = 5000;
const MAX_SPEED = 6000;
const USUAL_SPEED = 60;
const MAX_NAME = 180;

/** Form fields that trade on recorded candles instead of those that arrive. */
export const replayForm = {
  replay_from: extra(timeOfRequest().optional()),
  replay_speed: extra(integer({ min: 1, max: MAX_SPEED }).default(USUAL_SPEED)),
};

/** A replay as it was asked for. */
export interface AskedReplay {
  readonly from: string;
  readonly barsAMinute: number;
  /** Distinguishes its symbol from those of other replays. */
  readonly id: string;
}

interface ReplayForm {
  readonly mode: TradeMode;
  readonly replay_from?: string | undefined;
  readonly replay_speed: number;
}

/**
 * Reads whether a deployment trades on recorded candles.
 *
 * @throws ValidationError
 * @throws HubError replay_unavailable
 */
export const askedReplay = (
  { capability, random }: Call,
  { mode, replay_from: from, replay_speed: barsAMinute }: ReplayForm,
): AskedReplay | undefined => {
  if (from === undefined) return undefined;
  if (capability('replays').HUB_REPLAYS === 'off') {
    throw new HubError('replay_unavailable', 'Only the local service replays recorded candles.');
  }
  if (mode === 'live') {
    throw invalidValue(['body', 'replay_from'], 'a replay trades on paper', 'value_error.replay');
  }
  return { from, barsAMinute, id: random(4).readUInt32BE().toString(36).toUpperCase() };
};

/** Reads the candles before a replay; the first one of all if it begins there. */
const pastOf = async ({ store }: Call, series: Series, from: number) => {
  const to = Math.max(from, series.first + 1);
  const range = { from: Number.NEGATIVE_INFINITY, to };
  const { bars } = await readNewestCandles(store, series, series.timeframe, range, PAST_BARS);
  if (barCount(bars) > 0) return bars;
  return (await readCandles(store, series, series.timeframe, { from: series.first, to: series.first + 1 }))
    .bars;
};

/** Finds what a replay is made from. @throws HubError strategy_unsuitable, candles_hidden */
const recordedFor = (
  call: Call,
  strategy: Strategy,
  { symbols, timeframe }: Choice,
  items: Items,
): { readonly series: Series; readonly instrument: Instrument } => {
  const unsuitable = (detail: string) => new HubError('strategy_unsuitable', detail);
  const [symbol] = symbols;
  if (strategy.rules_hash === undefined || symbol === undefined || symbols.length > 1) {
    throw unsuitable('A replay needs a strategy with rules over one instrument.');
  }
  const { series, instrument } = marketIn(items, symbol, timeframe);
  if (!series || !instrument) throw unsuitable(`There are no candles of ${symbol} to replay.`);
  if (hasOwnClock(instrument.exchange)) throw unsuitable(`Prices of ${symbol} arrive without a replay.`);
  if (!isHidden(call, series)) return { series, instrument };
  throw new HubError('candles_hidden', 'The licence of the source of these candles does not allow a replay.');
};

/** Symbol that a deployment trades, with what was read of it. */
interface PreparedReplay {
  readonly symbol: string;
  readonly items: Items;
  readonly replay: Replay;
}

/**
 * Stores the instrument of a replay, which no search finds, and the candles before it. The local service feeds those that
 * follow.
 *
 * @param items read at the keys of the choice.
 * @throws ValidationError
 * @throws HubError strategy_unsuitable, candles_hidden
 */
export const prepareReplay = async (
  call: Call,
  { from, barsAMinute, id }: AskedReplay,
  strategy: Strategy,
  choice: Choice,
  items: Items,
): Promise<PreparedReplay> => {
  const { series, instrument } = recordedFor(call, strategy, choice, items);
  const begin = Date.parse(from);
  if (begin > series.last) {
    const msg = `the recorded candles end at ${new Date(series.last).toISOString()}`;
    throw invalidValue(['body', 'replay_from'], msg, 'value_error.replay');
  }
  const symbol = replaySymbol(instrument.symbol, id);
  if (symbol === undefined) {
    throw new HubError('strategy_unsuitable', `The symbol ${instrument.symbol} is too long for a replay.`);
  }
  const { timeframe, asset_class, calendar, adjustment } = series;
  const facts = { symbol, timeframe, asset_class, calendar, adjustment, source: SOURCE };
  await importBars(call.store, facts, await pastOf(call, series, begin));
  await call.store.put({
    ...instrument,
    symbol,
    name: `${instrument.name.slice(0, MAX_NAME)} (replay)`,
    exchange: REPLAY_EXCHANGE,
    listings: {},
    ...keys.instrument(symbol),
    entity: 'instrument',
  });
  return {
    symbol,
    items: await call.store.getMany(marketKeys(symbol, choice.timeframe), { consistent: true }),
    replay: { symbol: instrument.symbol, timeframe, from, bars_a_minute: barsAMinute },
  };
};
