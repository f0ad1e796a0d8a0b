import type { InstrumentFacts } from '../../shared/domain/instruments/instrument-completion.ts';

/** Field that a column can hold. */
export type Field = Exclude<keyof InstrumentFacts, 'listings'> | 'broker_symbol';

/** Format of a list: the meaning of its columns. */
export interface Format {
  readonly name: string;
  readonly about: string;
  /** Fields by header; headers in lower case with underscores. */
  readonly columns: Readonly<Record<string, Field>>;
  /** Headers that identify the format. */
  readonly needs: readonly string[];
  /** Values that hold for all instruments of the list and have no column. */
  readonly says?: Partial<InstrumentFacts>;
  /** Default values for new instruments. */
  readonly assumes?: Partial<InstrumentFacts>;
}

const own = (...fields: readonly Field[]): Readonly<Record<string, Field>> =>
  Object.fromEntries(fields.map((field) => [field, field]));

/** Supported formats, the most specific first. */
export const FORMATS: readonly Format[] = [
  {
    name: 'hub',
    about: "the hub's own columns; symbol, asset_class and quote_currency at least",
    columns: own(
      'symbol',
      'name',
      'exchange',
      'asset_class',
      'base_currency',
      'quote_currency',
      'tick_size',
      'digits',
      'contract_size',
      'min_volume',
      'max_volume',
      'volume_step',
      'swap_long',
      'swap_short',
      'swap_calculation',
      'triple_swap_weekday',
      'tradable',
      'broker_symbol',
    ),
    needs: ['symbol', 'asset_class', 'quote_currency'],
  },
  {
    name: 'properties',
    about: 'contract properties by market: market, symbol, type, quote_currency, minimum_price_variation, …',
    columns: {
      market: 'exchange',
      symbol: 'symbol',
      type: 'asset_class',
      description: 'name',
      quote_currency: 'quote_currency',
      contract_multiplier: 'contract_size',
      minimum_price_variation: 'tick_size',
      lot_size: 'volume_step',
      minimum_order_size: 'min_volume',
      market_ticker: 'broker_symbol',
    },
    needs: ['market', 'symbol', 'type', 'quote_currency', 'minimum_price_variation'],
  },
  {
    name: 'constituents',
    about: 'companies of a share index of the United States: symbol, security',
    columns: { symbol: 'symbol', security: 'name' },
    needs: ['symbol', 'security'],
    says: { asset_class: 'equity' },
    assumes: { exchange: 'US', quote_currency: 'USD' },
  },
];

/** Normalises a header for comparison. */
export const normaliseHeader = (header: string): string =>
  header
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_');

/** Returns the headers that a format needs and a list lacks. */
export const missingHeaders = (format: Format, headers: readonly string[]): string[] =>
  format.needs.filter((header) => !headers.includes(header));

/** Recognises a list by its headers. */
export const formatOf = (headers: readonly string[]): Format | undefined =>
  FORMATS.find((format) => missingHeaders(format, headers).length === 0);
