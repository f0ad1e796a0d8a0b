import * as z from 'zod';
import type { AccountInput } from '../engine/backtest/account-input.ts';
import { accountFields } from '../engine/backtest/account-input.ts';
import type { BacktestSetup, BacktestSetupLeg } from '../engine/backtest/setup.ts';
import type { Instrument } from '../instruments/instrument-records.ts';
import type { AssetClass } from '../instruments/instruments.ts';

/** Name of the terms under which all track records are made. Another name means other terms. */
export const RECORD_TERMS = 'standard-1';

/** Account of a track record, without the costs that depend on the symbol. */
export const RECORD_ACCOUNT: AccountInput = z.object(accountFields).parse({
  starting_capital: 100_000,
  margin: 1,
  fill_at: 'next_open',
  entry_bar: 'worst',
  financing: 'instrument',
});

/** Price steps of a typical spread of currencies and metals: a pip. The catalogue has no spreads. */
const SPREAD_STEPS = 10;

interface ClassCosts {
  readonly commission_rate: number;
  /** Part of the price by which market and stop fills are worse; `spread`: half a typical spread. */
  readonly slippage_rate: number | 'spread';
}

const COSTS: Readonly<Record<AssetClass, ClassCosts>> = {
  equity: { commission_rate: 0.0005, slippage_rate: 0.0002 },
  index: { commission_rate: 0.0005, slippage_rate: 0.0002 },
  forex: { commission_rate: 0.0001, slippage_rate: 'spread' },
  commodity: { commission_rate: 0.0001, slippage_rate: 'spread' },
  crypto: { commission_rate: 0.001, slippage_rate: 0.0005 },
};

/**
 * Returns the costs of a symbol, and the step by which a bar has to go through its limits.
 *
 * @param price last price at the start of the record; undefined without one.
 */
export const recordCosts = (
  { asset_class, tick_size: step }: Pick<Instrument, 'asset_class' | 'tick_size'>,
  price: number | undefined,
): NonNullable<BacktestSetupLeg['costs']> => {
  const { commission_rate, slippage_rate } = COSTS[asset_class];
  const halfSpread = (SPREAD_STEPS * step) / 2;
  const bySpread = price === undefined || price === 0 ? 0 : halfSpread / Math.abs(price);
  return {
    commission_rate,
    slippage_rate: slippage_rate === 'spread' ? bySpread : slippage_rate,
    limit_through: step,
  };
};

/** Returns a setup with the costs of each symbol, in the order of the legs. */
export const withCosts = (
  setup: BacktestSetup,
  costs: readonly NonNullable<BacktestSetupLeg['costs']>[],
): BacktestSetup => ({
  ...setup,
  legs: setup.legs.map((leg, index) => {
    const own = costs[index];
    return own ? { ...leg, costs: own } : leg;
  }),
});
