import { deploymentSetupWrite } from '../../shared/data/engine/setups.ts';
import type { BacktestSetup, BacktestSetupLeg } from '../../shared/domain/engine/backtest/setup.ts';
import { canonicalRules } from '../../shared/domain/engine/rules/canonical.ts';
import { rulesSchema } from '../../shared/domain/engine/rules/schema.ts';
import { DAILY } from './candles.ts';
import type { TestHub } from './hub.ts';
import { crossRules } from './rules.ts';
import { deployedTrader } from './trading.ts';

/** Returns the leg of a symbol that has all of the capital. */
const legOf = (symbol: string, share: number): BacktestSetupLeg => ({
  symbol,
  share,
  source: DAILY.timeframe,
  calendar: DAILY.calendar,
  to: Number.MAX_SAFE_INTEGER,
  asset_class: DAILY.asset_class,
  size_step: 1,
  contract_size: 1,
  direction: 'both',
});

/** Returns a setup over daily bars, without costs. */
const setupOf = (
  rules: unknown = crossRules(2, 4),
  symbols: readonly string[] = ['SPY'],
  more: Partial<BacktestSetup> = {},
): BacktestSetup => ({
  rules: canonicalRules(rulesSchema.parse(rules)),
  params: {},
  sentence: '',
  timeframe: '1d',
  read_from: 0,
  currency: 'USD',
  trading_days: 252,
  account: {
    starting_capital: 10_000,
    commission_rate: 0,
    commission_fixed: 0,
    commission_per_unit: 0,
    commission_min: 0,
    spread_rate: 0,
    slippage_rate: 0,
    margin: 1,
    financing: 'none',
    fill_at: 'next_open',
    stop_basis: 'fill',
    close_at_end: 'mark',
  },
  legs: symbols.map((symbol) => legOf(symbol, 1 / symbols.length)),
  ...more,
});

/** A user with a deployment that the hub runs. It has not started. */
export const hubDeployed = async (hub: TestHub, setup: BacktestSetup = setupOf()) => {
  const owner = await deployedTrader(hub, {}, setup.legs.map(({ symbol }) => symbol).join(','));
  await hub.runtime.store.transact([deploymentSetupWrite(owner.id, setup)]);
  return owner;
};
