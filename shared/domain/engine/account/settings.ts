import type { SwapTerms } from '../../instruments/rollover.ts';

/** Terms of an account for one symbol. Amounts are in the account's currency, the quote currency of the symbol. */
export interface AccountSettings {
  readonly starting_capital: number;
  /** Commission at each entry and exit: fixed + rate · value + per unit, and at least `min`. */
  readonly commission_rate: number;
  readonly commission_fixed: number;
  readonly commission_per_unit: number;
  readonly commission_min: number;
  /** Part of the price added to entries against the trader. */
  readonly spread_rate: number;
  /** Part of the price by which market and stop fills are worse. */
  readonly slippage_rate: number;
  /** Part of a trade's value that it ties up; the leverage is 1 / margin. */
  readonly margin: number;
  /** Part of a trade's value at or below which equity ends the account's trades. */
  readonly maintenance: number;
  /** Smallest step of a quantity. */
  readonly size_step: number;
  /** Price by which a bar has to go through a limit or target to fill it; absent: a touch fills. */
  readonly limit_through?: number;
  readonly contract_size: number;
  /** Market orders fill at the next bar's open, or are booked at the signal bar's close. */
  readonly fill_at: 'next_open' | 'signal_close';
  /** Price that stops and targets are measured from. */
  readonly stop_basis: 'fill' | 'signal_close';
  /**
   * Fills that the order of prices within a bar leaves open: `worst` for the trader, unless smaller bars decide, or
   * `next_bar`, the convention of backtesting.py.
   */
  readonly entry_bar: 'worst' | 'next_bar';
  readonly close_at_end: 'mark' | 'last_open';
  /** Sides that may be entered. */
  readonly direction: 'long' | 'short' | 'both';
  /** Terms of swap; absent: none is charged. */
  readonly swap?: SwapTerms;
}

/** Returns settings without costs. */
export const plainSettings = (startingCapital: number): AccountSettings => ({
  starting_capital: startingCapital,
  commission_rate: 0,
  commission_fixed: 0,
  commission_per_unit: 0,
  commission_min: 0,
  spread_rate: 0,
  slippage_rate: 0,
  margin: 1,
  maintenance: 0,
  size_step: 1,
  contract_size: 1,
  fill_at: 'next_open',
  stop_basis: 'fill',
  entry_bar: 'worst',
  close_at_end: 'mark',
  direction: 'both',
});
