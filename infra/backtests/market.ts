import { calendarById, calendarIdOf } from '../../shared/domain/candles/calendar.ts';
import type { SeriesKind } from '../../shared/domain/candles/checks.ts';
import type { Instrument } from '../../shared/domain/instruments/instrument-records.ts';
import { type AssetClass, normaliseSymbol } from '../../shared/domain/instruments/instruments.ts';
import type { Timeframe } from '../../shared/domain/strategies/strategies.ts';
import { readCatalogue } from '../catalogue/load.ts';
import { UsageError } from '../commands/command-line.ts';

/** Market of a backtest: an instrument of the shipped catalogue, or one that is known by its class only. */
export interface Market extends SeriesKind {
  readonly symbol: string;
  readonly instrument: Instrument | undefined;
}

/** Choices that decide the market. */
export interface MarketChoice {
  readonly symbol: string | undefined;
  readonly timeframe: Timeframe;
  /** Class and time zone of a symbol that is not in the catalogue. */
  readonly assetClass: AssetClass;
  readonly zone: string;
}

/** Name of a market without a symbol. */
const UNNAMED = 'CANDLES';

/** Finds the market. @throws UsageError for a text that cannot be a symbol. */
export const marketOf = ({ symbol, timeframe, assetClass, zone }: MarketChoice): Market => {
  const name = symbol === undefined ? UNNAMED : normaliseSymbol(symbol);
  if (name === undefined) throw new UsageError(`--symbol ${symbol} cannot be a symbol.`);
  const instrument =
    symbol === undefined ? undefined : readCatalogue().instruments.find((one) => one.symbol === name);
  if (instrument) {
    const calendar = calendarById(calendarIdOf(instrument));
    return { symbol: name, instrument, calendar, timeframe, assetClass: instrument.asset_class };
  }
  const id = calendarIdOf({ exchange: '', asset_class: assetClass });
  const calendar = calendarById(id.startsWith('weekdays:') ? `weekdays:${zone}` : id);
  return { symbol: name, instrument: undefined, calendar, timeframe, assetClass };
};

/** Describes the market, for the reader of a result. */
export const marketText = ({ symbol, instrument, assetClass, calendar }: Market): string =>
  instrument
    ? `${symbol} (${instrument.name}, ${instrument.exchange})`
    : `${symbol} (not in the catalogue: ${assetClass}, days in ${calendar.timeZone.name})`;
