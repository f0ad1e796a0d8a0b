import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { packLedger } from '../../shared/data/books/packed-ledger.ts';
import { MAX_MARKETS, marketIn, marketKeys } from '../../shared/data/candles/markets.ts';
import { closedUntil } from '../../shared/data/candles/read-candles.ts';
import type { TradingDeployment } from '../../shared/data/deployments/deployments.ts';
import { ENGINE_REQUESTED, engineEvent } from '../../shared/data/engine/events.ts';
import { deploymentSetupWrite } from '../../shared/data/engine/setups.ts';
import type { Items } from '../../shared/data/table/items.ts';
import type { Key } from '../../shared/data/table/writes.ts';
import { barAt, barCount } from '../../shared/domain/candles/bars.ts';
import { calendarIdOf, UNKNOWN_CALENDAR } from '../../shared/domain/candles/calendar.ts';
import { type AccountInput, accountFields } from '../../shared/domain/engine/backtest/account-input.ts';
import { makeSetup } from '../../shared/domain/engine/backtest/make-setup.ts';
import type { BacktestSetup, BacktestSetupLeg } from '../../shared/domain/engine/backtest/setup.ts';
import { SIGNAL_RULES } from '../../shared/domain/engine/running/signal-rules.ts';
import { hasOwnClock } from '../../shared/domain/instruments/instruments.ts';
import { openLedger } from '../../shared/domain/ledger/ledger-state.ts';
import { TIMEFRAMES, type Timeframe } from '../../shared/domain/strategies/strategies.ts';
import { recordCosts, withCosts } from '../../shared/domain/track-records/terms.ts';
import type { Effect } from '../../shared/lifecycle/effect.ts';

/** Latest time that dates can hold: a deployment has no end of its bars. */
const NO_END = 8.64e15;
/** Timeframe of the candles of a symbol that has none yet. */
const FIRST_SOURCE = '1m';
/** The timeframe that all others make up. */
const LARGEST = '1w';

const accountSchema = z.object(accountFields);

/** Form fields of the costs of an account that takes signals. Those that are left out follow from the class of a symbol. */
export const costsForm = {
  commission_rate: accountFields.commission_rate.unwrap().optional(),
  slippage_rate: accountFields.slippage_rate.unwrap().optional(),
  margin: accountFields.margin.unwrap().optional(),
  maintenance: accountFields.maintenance.unwrap().optional(),
  financing: accountFields.financing.unwrap().optional(),
} as const;

export type CostsForm = z.output<z.ZodObject<typeof costsForm>>;

/** Returns the keys of the instruments and series that the account of a deployment is made from; at most 100. */
export const signalAccountKeys = ({ symbols }: Pick<TradingDeployment, 'symbols'>): Key[] =>
  symbols.slice(0, MAX_MARKETS).flatMap((symbol) => marketKeys(symbol, LARGEST));

/** @throws HubError strategy_unsuitable */
const requireSuitable = ({ symbols, quote_currencies, currency }: TradingDeployment): void => {
  if (symbols.length > MAX_MARKETS) {
    throw new HubError(
      'strategy_unsuitable',
      `Signals trade at most ${MAX_MARKETS} symbols of a deployment.`,
    );
  }
  const [foreign] = Object.entries(quote_currencies);
  if (!foreign) return;
  const [symbol, quoted] = foreign;
  throw new HubError(
    'strategy_unsuitable',
    `${symbol} is quoted in ${quoted}, not in ${currency}. Deploy it in ${quoted}.`,
  );
};

const marketOf = (items: Items, symbol: string) => {
  const { series: largest, smaller, instrument } = marketIn(items, symbol, LARGEST);
  const series = smaller[0] ?? largest;
  const asset_class = series?.asset_class ?? instrument?.asset_class ?? 'equity';
  const newest = series && barAt(series.bars, barCount(series.bars) - 1);
  return {
    symbol,
    source: series?.timeframe ?? FIRST_SOURCE,
    calendar: series?.calendar ?? (instrument ? calendarIdOf(instrument) : UNKNOWN_CALENDAR),
    asset_class,
    instrument,
    to: NO_END,
    series,
    costs: recordCosts({ asset_class, tick_size: instrument?.tick_size ?? 0 }, newest?.close),
  };
};

type Market = ReturnType<typeof marketOf>;

/** Returns the smallest timeframe that the candles of all symbols make up. */
const timeframeOf = (markets: readonly Market[]): Timeframe =>
  TIMEFRAMES[Math.max(...markets.map(({ source }) => TIMEFRAMES.indexOf(source)))] ?? FIRST_SOURCE;

/** Returns the costs of a symbol: those that the owner chose, else those of its class. */
const costsOf = (
  { costs }: Market,
  { commission_rate = costs.commission_rate, slippage_rate = costs.slippage_rate }: CostsForm,
): NonNullable<BacktestSetupLeg['costs']> => ({
  ...costs,
  commission_rate: Number(commission_rate),
  slippage_rate: Number(slippage_rate),
});

const setupOf = (
  { starting_capital }: TradingDeployment,
  form: CostsForm,
  markets: readonly Market[],
  from: number,
): BacktestSetup => {
  const given = Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined));
  const account: AccountInput = accountSchema.parse({ financing: 'instrument', ...given, starting_capital });
  const setup = makeSetup({
    rules: SIGNAL_RULES,
    resolved: SIGNAL_RULES,
    params: {},
    timeframe: timeframeOf(markets),
    markets,
    strategy: undefined,
    account,
    from,
    read_from: from,
  });
  const costs = markets.map((market) => costsOf(market, form));
  return withCosts({ ...setup, sentence: 'Signals from outside place the orders.' }, costs);
};

/**
 * Opens the account on paper that signals trade: the hub's engine fills their orders at the bars of the smallest stored
 * timeframe. Each symbol has the same share of the capital.
 *
 * @param items read at {@link signalAccountKeys}.
 * @throws HubError strategy_unsuitable
 */
export const openSignalAccount = (
  deployment: TradingDeployment,
  form: CostsForm,
  items: Items,
  now: Date,
): Effect & { readonly deployment: TradingDeployment } => {
  requireSuitable(deployment);
  const { deployment_id, starting_capital, symbols } = deployment;
  const markets = symbols.map((symbol) => marketOf(items, symbol));
  const timeframe = timeframeOf(markets);
  const heads = markets.flatMap(({ series }) => (series ? [closedUntil(series, timeframe)] : []));
  const from = heads.length === 0 ? now.getTime() : Math.max(...heads);
  const ledger = openLedger({
    started_at: new Date(from).toISOString(),
    starting_capital,
    calendars: markets.map(({ calendar }) => calendar),
    market_time: true,
    symbols,
  });
  const isDemo = markets.some(({ instrument }) => hasOwnClock(instrument?.exchange));
  return {
    deployment: {
      ...deployment,
      engine: 'signals',
      ...(isDemo && { is_demo: true }),
      ledger: packLedger(ledger),
    },
    ledger,
    at: new Date(from),
    notifications: [],
    writes: [deploymentSetupWrite(deployment_id, setupOf(deployment, form, markets, from))],
    messages: [engineEvent(ENGINE_REQUESTED, deployment_id)],
  };
};
