import type { ValidationError } from '../../../shared/api/errors.ts';
import { invalidValue } from '../../../shared/api/refusals.ts';
import type { Instrument } from '../../../shared/domain/instruments/instrument-records.ts';

/** Currencies outside ISO 4217. */
const CRYPTO_CURRENCIES = ['BTC', 'ETH', 'USDT', 'USDC'];

const invalidCurrency = (msg: string): ValidationError =>
  invalidValue(['body', 'currency'], msg, 'value_error.currency');

/** Reads a currency. @throws ValidationError */
export const parseCurrency = (text: string): string => {
  const code = text.trim().toUpperCase();
  const isKnown = CRYPTO_CURRENCIES.includes(code) || Intl.supportedValuesOf('currency').includes(code);
  if (!isKnown) throw invalidCurrency('value is not the code of a currency');
  return code;
};

/** Finds the symbols quoted in another currency than the deployment's, with that currency. */
export const foreignQuotes = (
  instruments: readonly Instrument[],
  symbols: readonly string[],
  currency: string,
): Record<string, string> =>
  Object.fromEntries(
    instruments
      .filter(({ symbol, quote_currency }) => symbols.includes(symbol) && quote_currency !== currency)
      .map(({ symbol, quote_currency }) => [symbol, quote_currency]),
  );

/** Refuses symbols whose results need exchange rates. @throws ValidationError */
export const refuseForeignQuotes = (
  quoteCurrencies: Readonly<Record<string, string>>,
  currency: string,
  { isHub }: { readonly isHub: boolean },
): void => {
  const [first] = Object.entries(quoteCurrencies);
  if (first === undefined) return;
  const [symbol, quoted] = first;
  const other = isHub ? '' : ', or set engine_rates if your engine reports rates';
  throw invalidCurrency(
    `${symbol} is quoted in ${quoted}, not in ${currency}; deploy it in ${quoted}${other}`,
  );
};
