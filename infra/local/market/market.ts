import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { importBars } from '../../../shared/data/candles/import-bars.ts';
import { findSeries, type SeriesFacts, splitsOf } from '../../../shared/data/candles/series.ts';
import { writeCatalogueLists, writeInstruments } from '../../../shared/data/instruments/instrument-write.ts';
import { findInstruments } from '../../../shared/data/instruments/instruments.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { barAt, barCount } from '../../../shared/domain/candles/bars.ts';
import { calendarIdOf } from '../../../shared/domain/candles/calendar.ts';
import { splitPrice } from '../../../shared/domain/splits/ratio.ts';
import { catalogueEntryOf, DEMO_INSTRUMENTS, DEMO_UNIVERSE, type DemoInstrument } from './instruments.ts';
import { BAR_MS, nextBar, pastBars } from './prices.ts';

/** Source of the market's events on the bus. */
const SOURCE = 'demo-market';
const TIMEFRAME = '1m';
const YEARS_BACK = 10;
const YEAR_MS = 365.25 * 24 * 3_600_000;
/** Bars before the market begins, so that indicators have values at once: two days. */
const PAST_BARS = 2880;
/** Time between two bars. */
const EVERY_MS = 2000;

const factsOf = (instrument: DemoInstrument): SeriesFacts => ({
  symbol: instrument.symbol,
  timeframe: TIMEFRAME,
  asset_class: instrument.asset_class,
  calendar: calendarIdOf(catalogueEntryOf(instrument)),
  source: SOURCE,
  adjustment: 'none',
});

/** Adds the instruments of the demo market to the catalogue, with two days of bars. A repeat writes nothing. */
export const loadMarket = async (store: Store, now: number): Promise<void> => {
  const stored = await findInstruments(
    store,
    DEMO_INSTRUMENTS.map(({ symbol }) => symbol),
  );
  const missing = DEMO_INSTRUMENTS.filter((_, index) => !stored[index]);
  await writeInstruments(
    store,
    missing.map((one) => ({ stored: undefined, next: catalogueEntryOf(one) })),
  );
  if (missing.length > 0) await writeCatalogueLists(store, { brokers: [], universes: [DEMO_UNIVERSE] });
  const begin = Math.floor((now - YEARS_BACK * YEAR_MS) / BAR_MS) * BAR_MS;
  for (const instrument of DEMO_INSTRUMENTS) {
    const [series] = await findSeries(store, instrument.symbol, [TIMEFRAME]);
    if (!series) await importBars(store, factsOf(instrument), pastBars(instrument, begin, PAST_BARS));
  }
};

/** The newest bar of an instrument. */
interface Newest {
  readonly instrument: DemoInstrument;
  start: number;
  close: number;
}

const newestBars = async (store: Store): Promise<Newest[]> => {
  const found = await Promise.all(
    DEMO_INSTRUMENTS.map(async (instrument) => {
      const [series] = await findSeries(store, instrument.symbol, [TIMEFRAME]);
      const newest = series && barAt(series.bars, barCount(series.bars) - 1);
      return newest ? [{ instrument, start: newest.start, close: newest.close }] : [];
    }),
  );
  return found.flat();
};

/** Returns the close of the newest bar in the units of the next one: a split may be declared between them. */
const closeBefore = async (store: Store, { instrument, start, close }: Newest): Promise<number> => {
  const [series] = await findSeries(store, instrument.symbol, [TIMEFRAME]);
  const between = series ? splitsOf(series).filter(({ at }) => at > start && at <= start + BAR_MS) : [];
  return between.reduce(splitPrice, close);
};

export interface MarketOptions {
  readonly store: Store;
  /** Client of the bus. */
  readonly client: Pick<EventBridgeClient, 'send'>;
  readonly bus: string;
  readonly everyMs?: number;
  /** Called once when the bus refuses bars, until it takes them again. */
  readonly onError: (error: unknown) => void;
}

export interface Market {
  /** Ends the market and waits for the bars that are on their way. */
  readonly close: () => Promise<void>;
}

const isoOf = (start: number): string => new Date(start).toISOString();

/**
 * Runs the demo market: every two seconds a bar of a minute for each instrument, put on the bus as a feed would. A
 * market that starts again goes on after the newest stored bar.
 */
export const startMarket = async (options: MarketOptions): Promise<Market> => {
  const { store, client, bus, everyMs = EVERY_MS, onError } = options;
  const newest = await newestBars(store);
  let isFailing = false;

  const entry = (type: string, detail: object) => ({
    EventBusName: bus,
    Source: SOURCE,
    DetailType: type,
    Detail: JSON.stringify({ version: 1, timeframe: TIMEFRAME, ...detail }),
  });

  const tick = async (): Promise<void> => {
    const closes = await Promise.all(newest.map((one) => closeBefore(store, one)));
    const bars = newest.map((one, index) => ({
      one,
      bar: nextBar(one.instrument, one.start + BAR_MS, closes[index] ?? one.close),
    }));
    const through = Math.min(...bars.map(({ bar }) => bar.start));
    const { FailedEntryCount: failed = 0 } = await client.send(
      new PutEventsCommand({
        Entries: [
          ...bars.map(({ one, bar: { start, ...prices } }) =>
            entry('Bar Closed', {
              symbol: one.instrument.symbol,
              start: isoOf(start),
              ...prices,
              previous: isoOf(one.start),
            }),
          ),
          entry('Bars Complete', {
            through: isoOf(through),
            symbols: newest.map(({ instrument }) => instrument.symbol),
          }),
        ],
      }),
    );
    // Bars that the bus already took do no harm when they come again.
    if (failed > 0) throw new Error('the bus did not take all bars');
    for (const { one, bar } of bars) Object.assign(one, { start: bar.start, close: bar.close });
  };

  let ticking: Promise<void> = Promise.resolve();
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    ticking = tick()
      .then(
        () => {
          isFailing = false;
        },
        (error: unknown) => {
          if (!isFailing) onError(error);
          isFailing = true;
        },
      )
      .finally(() => {
        isBusy = false;
      });
  }, everyMs);
  timer.unref();
  return {
    close: async () => {
      clearInterval(timer);
      await ticking;
    },
  };
};
