import * as z from 'zod';
import { extensionRecord, integer, record, timestamp } from '../../../shared/api/fields.ts';
import { PRICE_STATES } from '../../../shared/domain/deployments/price-state.ts';
import type { Instrument } from '../../../shared/domain/instruments/instrument-records.ts';
import {
  ASSET_CLASSES,
  SWAP_CALCULATIONS,
  WEEKDAYS,
} from '../../../shared/domain/instruments/instruments.ts';
import { TIMEFRAMES } from '../../../shared/domain/strategies/strategies.ts';

const instrumentFields = {
  name: z.string(),
  exchange: z.string(),
  asset_class: z.enum(ASSET_CLASSES),
  base_currency: z.string().nullable(),
  quote_currency: z.string(),
  /** Smallest change of price. */
  tick_size: z.number(),
  digits: integer(),
  /** Units of one lot; volumes are in lots. */
  contract_size: z.number(),
  min_volume: z.number(),
  max_volume: z.number().nullable(),
  volume_step: z.number(),
  /** Per lot and night. Negative is a charge. */
  swap_long: z.number().nullable(),
  swap_short: z.number().nullable(),
  swap_calculation: z.enum(SWAP_CALCULATIONS).nullable(),
  triple_swap_weekday: z.enum(WEEKDAYS).nullable(),
  tradable: z.boolean(),
} as const;

export const brokerTickersOut = record(
  'BrokerTickersOut',
  z.object({
    symbol: z.string(),
    broker_symbol: z.string(),
    ...instrumentFields,
  }),
);

/** Stored candles of an instrument. */
export const instrumentCandles = extensionRecord(
  'InstrumentCandles',
  z.object({
    timeframe: z.enum(TIMEFRAMES),
    from: timestamp(),
    to: timestamp(),
    prices: z.enum(PRICE_STATES),
  }),
);

export const instrumentSuggestion = extensionRecord(
  'InstrumentSuggestion',
  z.object({
    symbol: z.string(),
    /** Symbol at the broker, if the search names a broker or a server. */
    broker_symbol: z.string().nullable(),
    ...instrumentFields,
    /** Smallest timeframe first. Absent unless it was asked for. */
    candles: z.array(instrumentCandles).optional(),
  }),
);

/** Presents an instrument with its symbol at a broker. */
export const presentInstrument = <S extends string | null>(instrument: Instrument, brokerSymbol: S) => ({
  symbol: instrument.symbol,
  broker_symbol: brokerSymbol,
  name: instrument.name,
  exchange: instrument.exchange,
  asset_class: instrument.asset_class,
  base_currency: instrument.base_currency ?? null,
  quote_currency: instrument.quote_currency,
  tick_size: instrument.tick_size,
  digits: instrument.digits,
  contract_size: instrument.contract_size,
  min_volume: instrument.min_volume,
  max_volume: instrument.max_volume ?? null,
  volume_step: instrument.volume_step,
  swap_long: instrument.swap_long ?? null,
  swap_short: instrument.swap_short ?? null,
  swap_calculation: instrument.swap_calculation ?? null,
  triple_swap_weekday: instrument.triple_swap_weekday ?? null,
  tradable: instrument.tradable,
});
