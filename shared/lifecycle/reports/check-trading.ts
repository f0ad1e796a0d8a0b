import type { TradingDeployment } from '../../data/deployments/deployments.ts';
import type { Contract, InstrumentMemory } from '../../data/instruments/instrument-memory.ts';
import type { Store } from '../../data/table/store.ts';
import type { Ledger } from '../../domain/ledger/ledger-state.ts';
import { MalformedEventError } from '../../domain/malformed-event.ts';
import { type Decimal, decimal } from '../../domain/money.ts';
import type { BooksReport } from './report.ts';

/** Fraction of the starting capital that the fees of an order may reach without traded value. */
const FEES_PART = 10;

/**
 * Refuses fees that no market charges: more than the value traded and a tenth of the starting capital. The value
 * alone is no bound: a minimum commission may exceed the value of a cheap option, and a price may be zero.
 * Rebates are negative fees, with the same bound.
 *
 * @param value of the fills of the order so far, in the currency of the deployment.
 * @throws MalformedEventError
 */
export const requireSaneFees = (
  { starting_capital }: Pick<TradingDeployment, 'starting_capital'>,
  fees: string,
  value: Decimal,
): void => {
  const beyond = decimal(fees).abs().minus(value.abs());
  if (beyond.gt(0) && beyond.times(FEES_PART).gt(starting_capital)) {
    throw new MalformedEventError('fees are more than the traded value and a tenth of the starting capital');
  }
};

const isOnTheBooks = ({ contract_sizes, quotes, head }: Ledger, symbol: string): boolean =>
  [contract_sizes, quotes, head.symbols].some((known) => Object.hasOwn(known, symbol));

/**
 * Reads the contract of a symbol outside the deployment from the catalogue. An unknown symbol is refused,
 * unless it is on the books. The deployment's own symbols cost no read.
 *
 * @throws MalformedEventError
 */
export const contractOf = async (
  store: Store,
  deployment: TradingDeployment,
  { detail: { symbol } }: BooksReport,
  { ledger }: { readonly ledger: Ledger },
  { instruments, now }: { readonly instruments: InstrumentMemory; readonly now: Date },
): Promise<Contract | undefined> => {
  if (deployment.symbols.includes(symbol)) return undefined;
  const contract = await instruments.find(store, symbol, now);
  if (contract || isOnTheBooks(ledger, symbol)) return contract;
  throw new MalformedEventError('the symbol is neither one of the deployment nor in the catalogue');
};

const ownQuoteCurrency = ({ quote_currencies, currency }: TradingDeployment, symbol: string): string =>
  Object.hasOwn(quote_currencies, symbol) ? (quote_currencies[symbol] ?? currency) : currency;

/** Returns the currency that a symbol is quoted in. @param contract of a symbol that is not one of the deployment */
export const quoteCurrencyOf = (
  deployment: TradingDeployment,
  symbol: string,
  contract: Contract | undefined,
): string => contract?.quote_currency ?? ownQuoteCurrency(deployment, symbol);

/** Returns whether a symbol is quoted in another currency than that of the deployment. @param contract of a symbol that is not one of the deployment */
export const isForeign = (
  deployment: TradingDeployment,
  symbol: string,
  contract: Contract | undefined,
): boolean => quoteCurrencyOf(deployment, symbol, contract) !== deployment.currency;

/**
 * Returns the rate of a fill or a quote; undefined if the symbol is quoted in the deployment's currency.
 *
 * @param contract of a symbol that is not one of the deployment.
 * @throws MalformedEventError where a rate is missing, or there is nothing to convert.
 */
export const requireRate = (
  deployment: TradingDeployment,
  { symbol, rate }: { readonly symbol: string; readonly rate?: string | undefined },
  contract: Contract | undefined,
): string | undefined => {
  const { currency } = deployment;
  const quoted = quoteCurrencyOf(deployment, symbol, contract);
  if (quoted !== currency) {
    if (rate !== undefined) return rate;
    throw new MalformedEventError(`rate is missing: ${quoted} to ${currency}`);
  }
  if (rate === undefined || decimal(rate).eq(1)) return undefined;
  throw new MalformedEventError('rate is for symbols quoted in another currency than that of the deployment');
};
