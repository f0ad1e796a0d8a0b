import { type Amount, isShown, memoised, NONE, type WriteNumber } from './values.ts';

/** Options of figures that can be gains and losses. */
export interface SignOptions {
  /** Shows a plus sign, too. */
  readonly signed?: boolean | undefined;
}

const CRYPTO_DIGITS = 8;
/** Amounts from here on are shortened: 1.2345T. */
const HUGE = 1e12;
/** Percentages and ratios from here on are shortened. */
const HUGE_FIGURE = 1e6;
/** Amounts from here on are shortened where there is little space. */
const LONG = 1e6;
const SHORT: Intl.NumberFormatOptions = { notation: 'compact', maximumSignificantDigits: 5 };

/** Returns the power of ten of a number's first digit. */
const magnitudeOf = (value: number): number => (value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value))));

/** Returns the decimals of a tick, for example 2 of 0.01 and 5 of 1e-5. */
const decimalsOf = (tick: number): number => {
  const [digits = '', exponent = '0'] = tick.toString().split('e');
  return Math.max(0, Math.min(20, (digits.split('.')[1]?.length ?? 0) - Number(exponent)));
};

const isoCurrencies = memoised((_: 'all') => new Set(Intl.supportedValuesOf('currency')));

/** Returns whether a currency is one of ISO 4217; others are taken for crypto. */
const isIsoCurrency = (currency: string): boolean => isoCurrencies('all').has(currency);

/** Makes the functions that write numbers. */
export const numberFormats = (write: WriteNumber) => {
  const sign = ({ signed = false }: SignOptions = {}): Intl.NumberFormatOptions => ({
    signDisplay: signed ? 'exceptZero' : 'negative',
  });

  const amount = (
    value: Amount,
    currency: string,
    short: Intl.NumberFormatOptions,
    options?: SignOptions,
  ): string => {
    if (!isShown(value)) return NONE;
    const isShort = short.notation === 'compact';
    if (isIsoCurrency(currency)) {
      return write(value, { style: 'currency', currency, ...short, ...sign(options) });
    }
    const digits = isShort ? {} : { minimumFractionDigits: 2, maximumFractionDigits: CRYPTO_DIGITS };
    const text = write(value, { ...digits, ...short, ...sign(options) });
    return currency === '' ? text : `${text}\u00a0${currency}`;
  };

  return {
    /** Writes an amount with the decimals of its currency, for example `$1,234.50`, `¥1,235` and `0.5 BTC`. */
    money: (value: Amount, currency: string, options?: SignOptions): string =>
      amount(value, currency, isShown(value) && Math.abs(value) >= HUGE ? SHORT : {}, options),

    /** Writes an amount in little space, for axes and tiles: `$1.2M`. */
    shortMoney: (value: Amount, currency: string, options?: SignOptions): string =>
      amount(value, currency, isShown(value) && Math.abs(value) >= LONG ? SHORT : {}, options),

    /** Writes percent points: 12.5 as `12.50%`. */
    percent: (
      points: Amount,
      { digits = 2, ...options }: SignOptions & { readonly digits?: number } = {},
    ): string => {
      if (!isShown(points)) return NONE;
      const short: Intl.NumberFormatOptions =
        Math.abs(points) >= HUGE_FIGURE
          ? { notation: 'compact', maximumFractionDigits: digits }
          : { minimumFractionDigits: digits, maximumFractionDigits: digits };
      return write(points / 100, { style: 'percent', ...short, ...sign(options) });
    },

    /** Writes a rate: 0.0005 as `0.05%`. */
    rate: (fraction: Amount): string =>
      isShown(fraction) ? write(fraction, { style: 'percent', maximumFractionDigits: 6, ...sign() }) : NONE,

    /** Writes a ratio, for example a Sharpe ratio, with two decimals. */
    ratio: (value: Amount, options?: SignOptions): string => {
      if (!isShown(value)) return NONE;
      const short: Intl.NumberFormatOptions =
        Math.abs(value) >= HUGE_FIGURE ? { notation: 'compact' } : { minimumFractionDigits: 2 };
      return write(value, { ...short, maximumFractionDigits: 2, ...sign(options) });
    },

    /** Writes a number of things. */
    count: (value: Amount): string =>
      isShown(value) ? write(value, { maximumFractionDigits: 0, ...sign() }) : NONE,

    /** Writes a number with the decimals that it has, for example the value of a parameter. */
    number: (value: Amount): string =>
      isShown(value) ? write(value, { maximumSignificantDigits: 12, ...sign() }) : NONE,

    /** Writes a quantity of an instrument: up to eight decimals, more for quantities that are smaller. */
    quantity: (value: Amount, options?: SignOptions): string => {
      if (!isShown(value)) return NONE;
      const magnitude = magnitudeOf(value);
      const digits: Intl.NumberFormatOptions =
        magnitude < -6 ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: CRYPTO_DIGITS };
      return write(value, { ...digits, ...sign(options) });
    },

    /** Writes a price with the decimals of its tick; without one, with at least two and about seven digits. */
    price: (value: Amount, tick?: number | null): string => {
      if (!isShown(value)) return NONE;
      const isTick = isShown(tick) && tick > 0;
      const least = isTick ? decimalsOf(tick) : 2;
      const most = isTick ? least : Math.max(2, Math.min(20, 6 - magnitudeOf(value)));
      return write(value, { minimumFractionDigits: least, maximumFractionDigits: most, ...sign() });
    },
  };
};
