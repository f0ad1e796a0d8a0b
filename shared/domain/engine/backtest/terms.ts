import type { Instrument } from '../../instruments/instrument-records.ts';
import { swapTermsSchema } from '../../instruments/rollover.ts';
import type { AccountInput } from './account-input.ts';
import type { BacktestSetup, BacktestSetupLeg } from './setup.ts';

/** Instrument of the candles; undefined if the catalogue has none. */
type Known = Instrument | undefined;

/** Returns the currency of prices. */
export const currencyOf = (instrument: Known): string => instrument?.quote_currency ?? 'USD';

/** Returns the terms under which an instrument is traded. */
export const termsOf = (
  instrument: Known,
  { financing, size_step }: AccountInput,
  direction: BacktestSetupLeg['direction'],
): Pick<BacktestSetupLeg, 'size_step' | 'contract_size' | 'direction' | 'swap'> => ({
  size_step: Number(size_step ?? instrument?.volume_step ?? 1),
  contract_size: instrument?.contract_size ?? 1,
  direction: instrument?.short_allowed === false ? 'long' : direction,
  ...(financing === 'instrument' && instrument && { swap: swapTermsSchema.parse(instrument) }),
});

/** Returns the terms of an account, with amounts as doubles. */
export const accountOf = ({ size_step: _, ...account }: AccountInput): BacktestSetup['account'] => ({
  ...account,
  starting_capital: Number(account.starting_capital),
  commission_rate: Number(account.commission_rate),
  commission_fixed: Number(account.commission_fixed),
  commission_per_unit: Number(account.commission_per_unit),
  commission_min: Number(account.commission_min),
  spread_rate: Number(account.spread_rate),
  slippage_rate: Number(account.slippage_rate),
  margin: Number(account.margin),
  maintenance: Number(account.maintenance),
});
