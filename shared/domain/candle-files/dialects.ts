/** Lists the contents of a column of candles. */
export type Field = 'time' | 'clock' | 'open' | 'high' | 'low' | 'close' | 'volume' | 'symbol';

/** Order of day and month in dates such as 01/02/2024. */
export const DATE_ORDERS = ['dmy', 'mdy'] as const;

export type DateOrder = (typeof DATE_ORDERS)[number];

/** Shape of the candle files of a program. */
export interface Dialect {
  readonly name: string;
  /** Columns that identify the dialect, as `columnName` writes them. */
  readonly headers?: readonly string[];
  /** Cells that identify a first line without headers, from the left. */
  readonly cells?: readonly (readonly [name: string, form: RegExp])[];
  /** Form of the first time, where other programs write the same columns. */
  readonly time?: RegExp;
  /** Names of the columns by field; the first one that the file has is read. */
  readonly columns: Readonly<Partial<Record<Field, readonly string[]>>>;
  readonly dates?: DateOrder;
  /** First cells of further lines of headers. */
  readonly passed?: readonly string[];
  /** Zone of local times of bars within a day, if it is not the exchange's. They need --time-zone. */
  readonly localTimes?: string;
  /** Zone of all local times that the program writes. */
  readonly zone?: string;
  /** Facts for the reader of the table in README.md. */
  readonly about: string;
}

const PRICES = { open: ['open'], high: ['high'], low: ['low'], close: ['close'] };

const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/;
const EPOCH = /^\d{9,19}$/;
const DOTTED_DAY = /^\d{4}\.\d{2}\.\d{2}$/;
const CLOCK = /^\d{2}:\d{2}(?::\d{2})?$/;

const PRICE_CELLS = [
  ['open', NUMBER],
  ['high', NUMBER],
  ['low', NUMBER],
  ['close', NUMBER],
] as const;

/** Known dialects, the most specific first. The last one takes any file with a time and four prices. */
export const DIALECTS: readonly Dialect[] = [
  {
    name: 'MetaTrader 5',
    headers: ['date', 'open', 'high', 'low', 'close', 'tickvol'],
    columns: { time: ['date'], clock: ['time'], ...PRICES, volume: ['tickvol'] },
    localTimes: 'broker time',
    about: 'tabs, UTF-8 or UTF-16; volume from TICKVOL',
  },
  {
    name: 'Stooq (ASCII)',
    headers: ['ticker', 'per', 'date', 'open', 'high', 'low', 'close', 'vol'],
    columns: { time: ['date'], clock: ['time'], ...PRICES, volume: ['vol'], symbol: ['ticker'] },
    localTimes: "the archive's time",
    about: 'days such as 20240102',
  },
  {
    name: 'Stooq (Polish)',
    headers: ['data', 'otwarcie', 'najwyzszy', 'najnizszy', 'zamkniecie'],
    columns: {
      time: ['data'],
      clock: ['czas'],
      open: ['otwarcie'],
      high: ['najwyzszy'],
      low: ['najnizszy'],
      close: ['zamkniecie'],
      volume: ['wolumen'],
    },
    localTimes: 'time of Warsaw',
    about: 'the English file is plain',
  },
  {
    name: 'Binance',
    headers: ['open_time', 'open', 'high', 'low', 'close', 'volume', 'close_time'],
    columns: { time: ['open_time'], ...PRICES, volume: ['volume'] },
    about: 'milliseconds or microseconds',
  },
  {
    name: 'Binance (no headers)',
    cells: [
      ['open_time', EPOCH],
      ...PRICE_CELLS,
      ['volume', NUMBER],
      ['close_time', EPOCH],
      ['quote_volume', NUMBER],
    ],
    columns: { time: ['open_time'], ...PRICES, volume: ['volume'] },
    about: 'milliseconds or microseconds',
  },
  {
    name: 'Coinbase (CryptoDataDownload)',
    headers: ['unix', 'date', 'symbol', 'open', 'high', 'low', 'close'],
    columns: { time: ['unix'], ...PRICES, volume: ['volume', 'volume_*'], symbol: ['symbol'] },
    about: 'seconds or milliseconds; volume in the base currency; a line before the headers',
  },
  {
    name: 'Coinbase',
    headers: ['start', 'low', 'high', 'open', 'close', 'volume'],
    columns: { time: ['start'], ...PRICES, volume: ['volume'] },
    about: 'CSV or the JSON of the API; seconds',
  },
  {
    name: 'Nasdaq',
    headers: ['date', 'close_last', 'open', 'high', 'low'],
    columns: { time: ['date'], ...PRICES, close: ['close_last'], volume: ['volume'] },
    dates: 'mdy',
    about: '$ and thousands; newest first',
  },
  {
    name: 'Investing',
    headers: ['date', 'price', 'open', 'high', 'low'],
    columns: { time: ['date'], ...PRICES, close: ['price'], volume: ['vol'] },
    about: 'volumes such as 12.3M; newest first; may need `--dates`',
  },
  {
    name: 'Investing (German)',
    headers: ['datum', 'zuletzt', 'eröffn', 'hoch', 'tief'],
    columns: {
      time: ['datum'],
      open: ['eröffn'],
      high: ['hoch'],
      low: ['tief'],
      close: ['zuletzt'],
      volume: ['vol'],
    },
    about: 'decimal commas; newest first',
  },
  {
    name: 'Alpaca',
    headers: ['timestamp', 'open', 'high', 'low', 'close', 'volume', 'trade_count', 'vwap'],
    columns: { time: ['timestamp'], ...PRICES, volume: ['volume'], symbol: ['symbol'] },
    about: 'one symbol a file',
  },
  {
    name: 'Alpaca (API)',
    headers: ['t', 'o', 'h', 'l', 'c'],
    columns: {
      time: ['t'],
      open: ['o'],
      high: ['h'],
      low: ['l'],
      close: ['c'],
      volume: ['v'],
      symbol: ['s', 'symbol'],
    },
    about: 'CSV or JSON; one symbol a file',
  },
  {
    name: 'Alpha Vantage',
    headers: ['timestamp', 'open', 'high', 'low', 'close', 'volume'],
    time: /^\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}:\d{2})?$/,
    columns: { time: ['timestamp'], ...PRICES, volume: ['volume'] },
    about: 'newest first',
  },
  {
    name: 'Yahoo',
    headers: ['date', 'open', 'high', 'low', 'close', 'adj_close'],
    columns: { time: ['date'], ...PRICES, volume: ['volume'] },
    about: 'the close, not the adjusted close, which does not fit the other prices',
  },
  {
    name: 'Yahoo (yfinance)',
    headers: ['open', 'high', 'low', 'close', 'dividends', 'stock_splits'],
    columns: { time: ['date', 'datetime'], ...PRICES, volume: ['volume'] },
    about: 'times with an offset',
  },
  {
    name: 'Yahoo (yfinance download)',
    headers: ['price', 'close', 'high', 'low', 'open'],
    passed: ['ticker', 'date', 'datetime'],
    columns: { time: ['price'], ...PRICES, volume: ['volume'] },
    about: 'three lines of headers, of which Ticker and Date are passed over',
  },
  {
    name: 'Kite',
    headers: ['date', 'open', 'high', 'low', 'close', 'volume'],
    time: /\+05:?30$/,
    columns: { time: ['date'], ...PRICES, volume: ['volume'] },
    about: 'times with +0530',
  },
  {
    name: 'Kite (API)',
    cells: [['date', /\+05:?30$/], ...PRICE_CELLS, ['volume', NUMBER]],
    columns: { time: ['date'], ...PRICES, volume: ['volume'] },
    about: 'JSON; times with +0530',
  },
  {
    name: 'TradingView',
    headers: ['time', 'open', 'high', 'low', 'close'],
    time: /^\d{9,10}$|T.*(?:Z|[+-]\d{2}:\d{2})$/i,
    columns: { time: ['time'], ...PRICES, volume: ['volume'] },
    about: 'seconds or times with an offset; columns of indicators are not read',
  },
  {
    name: 'MetaTrader 4 or 5 (no headers)',
    cells: [['date', DOTTED_DAY], ['clock', CLOCK], ...PRICE_CELLS, ['volume', NUMBER]],
    columns: { time: ['date'], clock: ['clock'], ...PRICES, volume: ['volume'] },
    localTimes: 'broker time',
    about: 'commas or tabs, UTF-8 or UTF-16',
  },
  {
    name: 'MetaTrader 5 (no headers)',
    cells: [
      ['date', /^\d{4}\.\d{2}\.\d{2}(?: \d{2}:\d{2}(?::\d{2})?)?$/],
      ...PRICE_CELLS,
      ['volume', NUMBER],
    ],
    columns: { time: ['date'], ...PRICES, volume: ['volume'] },
    localTimes: 'broker time',
    about: 'commas or tabs, UTF-8 or UTF-16',
  },
  {
    name: 'HistData',
    cells: [['time', /^\d{8} \d{6}$/], ...PRICE_CELLS, ['volume', NUMBER]],
    columns: { time: ['time'], ...PRICES, volume: ['volume'] },
    zone: 'Etc/GMT+5',
    about: 'semicolons; times in UTC-5 all year',
  },
  {
    name: 'Dukascopy',
    headers: ['gmt_time', 'open', 'high', 'low', 'close'],
    columns: { time: ['gmt_time'], ...PRICES, volume: ['volume'] },
    zone: 'UTC',
    about: 'times in UTC',
  },
  {
    name: 'CryptoDataDownload',
    headers: ['date', 'symbol', 'open', 'high', 'low', 'close'],
    columns: { time: ['date'], ...PRICES, volume: ['volume', 'volume_*'], symbol: ['symbol'] },
    zone: 'UTC',
    about: 'times in UTC; volume in the base currency',
  },
  {
    name: 'German',
    headers: ['datum', 'hoch', 'tief'],
    columns: {
      time: ['datum'],
      open: ['eröffnung', 'eröffnungskurs', 'erster', 'open'],
      high: ['hoch'],
      low: ['tief'],
      close: ['schluss', 'schlusskurs', 'close'],
      volume: ['stücke', 'stuecke', 'volumen', 'volume'],
    },
    about: 'semicolons, decimal commas',
  },
  {
    name: 'no headers, with volume',
    cells: [['time', /^\d{4}-\d{2}-\d{2}/], ...PRICE_CELLS, ['volume', NUMBER]],
    columns: { time: ['time'], ...PRICES, volume: ['volume'] },
    about: 'open, high, low, close in this order',
  },
  {
    name: 'date and time',
    headers: ['date', 'time', 'open', 'high', 'low', 'close'],
    time: /^[^:]+$/,
    columns: { time: ['date'], clock: ['time'], ...PRICES, volume: ['volume', 'vol', 'tick_volume'] },
    about: 'the day and the time of day in two columns',
  },
  {
    name: 'plain',
    headers: [],
    columns: {
      time: ['time', 'date', 'datetime', 'timestamp', 'open_time', 'unix', 'day', 't', 'index', ''],
      open: ['open', 'o'],
      high: ['high', 'h'],
      low: ['low', 'l'],
      close: ['close', 'last', 'close_last', 'c'],
      volume: [
        ...['volume', 'vol', 'volumes', 'v', 'tick_volume', 'tickvolume', 'tickvol', 'base_volume'],
        ...['total_volume', 'traded_volume', 'total_traded_quantity', 'shares_traded', 'no_of_shares'],
        ...['shares', 'quantity', 'qty', 'volume_*'],
      ],
      symbol: ['symbol', 'ticker'],
    },
    about: 'columns in any order; a time without a name, as of pandas',
  },
];

/** Returns the name of a column without marks, such as `close_last` of `Close/Last` and `date` of `<DATE>`. */
export const columnName = (header: string): string =>
  header
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');

const includesAll = (names: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((name) => names.includes(name));

/** Finds the dialect that writes these headers, and this time in the line after them. */
export const dialectOf = (names: readonly string[], first: readonly string[]): Dialect | undefined =>
  DIALECTS.find(({ headers, time, columns }) => {
    if (!headers || headers.length === 0 || !includesAll(names, headers)) return false;
    const at = names.findIndex((name) => columns.time?.includes(name));
    return time === undefined || time.test(first[at]?.trim() ?? '');
  });

/** Finds the dialect whose first line without headers has these cells. */
export const headlessDialectOf = (cells: readonly string[]): Dialect | undefined =>
  DIALECTS.find(({ cells: forms }) =>
    forms?.every(([, form], index) => form.test(cells[index]?.trim() ?? '')),
  );

/** Matches volumes in a currency or coin, and no averages of volumes. */
const VOLUME_OF = /^volume_(?!sma$|ema$|avg$)[a-z]{3,6}$/;

/** Finds the column of a field; `volume_*` matches the first volume in a currency or coin. */
export const columnOf = (dialect: Dialect, field: Field, names: readonly string[]): string | undefined => {
  for (const wanted of dialect.columns[field] ?? []) {
    const found = names.find((name) => (wanted === 'volume_*' ? VOLUME_OF.test(name) : name === wanted));
    if (found !== undefined) return found;
  }
  return undefined;
};
