import type { InstrumentFacts } from '../../shared/domain/instruments/instrument-completion.ts';

/** What a column can tell. */
export type Field = Exclude<keyof InstrumentFacts, 'listings'> | 'broker_symbol';

/** A kind of list: which of its columns say what. */
export interface Format {
  readonly name: string;
  readonly about: string;
  /** By header, in lower case with underscores. */
  readonly columns: Readonly<Record<string, Field>>;
  /** The headers by which the format is recognised. */
  readonly needs: readonly string[];
  /** What the list says of all its instruments without having a column for it. */
  readonly says?: Partial<InstrumentFacts>;
  /** What is taken for granted of instruments that are new. */
  readonly assumes?: Partial<InstrumentFacts>;
}

const own = (...fields: readonly Field[]): Readonly<Record<string, Field>> =>
  Object.fromEntries(fields.map((field) => [field, field]));

/** The formats that are understood, the most particular first. */
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

/** The form in which headers are compared. */
export const normaliseHeader = (header: string): string =>
  header
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_');

/** The headers that a format needs and a list lacks. */
export const missingHeaders = (format: Format, headers: readonly string[]): string[] =>
  format.needs.filter((header) => !headers.includes(header));

/** Recognises a list by its headers. */
export const formatOf = (headers: readonly string[]): Format | undefined =>
  FORMATS.find((format) => missingHeaders(format, headers).length === 0);
