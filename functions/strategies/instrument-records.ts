import * as z from 'zod';
import { extensionRecord, integer, record, timestamp } from '../../shared/api/fields.ts';
import type { Instrument } from '../../shared/domain/instruments/instrument-records.ts';
import { ASSET_CLASSES, SWAP_CALCULATIONS, WEEKDAYS } from '../../shared/domain/instruments/instruments.ts';

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
    /** Symbol at the broker. */
    broker_symbol: z.string(),
    ...instrumentFields,
  }),
);

export const instrumentSuggestion = extensionRecord(
  'InstrumentSuggestion',
  z.object({
    symbol: z.string(),
    /** Symbol at the broker, if the search names a broker or a server. */
    broker_symbol: z.string().nullable(),
    ...instrumentFields,
  }),
);

export const retailBrokerOut = extensionRecord(
  'RetailBroker',
  z.object({
    broker_id: integer(),
    name: z.string(),
    slug: z.string(),
    logo_url: z.string().nullable(),
    asset_classes: z.array(z.enum(ASSET_CLASSES)),
    regions: z.array(z.string()),
    connection: z.enum(['oauth', 'token', 'password']),
    /** Trading servers: values of `server` in other operations. */
    servers: z.array(z.string()),
    connected: z.boolean(),
    connected_at: timestamp().nullable(),
  }),
);

export const brokerLinkOut = extensionRecord(
  'BrokerLink',
  z.object({
    broker_id: integer(),
    name: z.string(),
    /** Masked to the last four characters. */
    account_id: z.string().nullable(),
    server_id: integer().nullable(),
    status: z.enum(['connected', 'expired', 'disconnected']),
    connected_at: timestamp(),
    token_expires_at: timestamp().nullable(),
    permissions: z.array(z.string()),
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
