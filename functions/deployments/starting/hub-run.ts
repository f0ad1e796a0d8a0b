import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { invalidValue } from '../../../shared/api/refusals.ts';
import { MAX_MARKETS, marketIn, marketKeys } from '../../../shared/data/candles/markets.ts';
import { closedUntil } from '../../../shared/data/candles/read-candles.ts';
import type { Series } from '../../../shared/data/candles/series.ts';
import type { Deployment } from '../../../shared/data/deployments/deployments.ts';
import type { Strategy } from '../../../shared/data/strategies/strategies.ts';
import { rulesIn } from '../../../shared/data/strategies/strategy-rules.ts';
import { type Items, itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import type { User } from '../../../shared/data/users/users.ts';
import { calendarIdOf } from '../../../shared/domain/candles/calendar.ts';
import type { AccountInput } from '../../../shared/domain/engine/backtest/account-input.ts';
import { makeSetup, type SetupMarket } from '../../../shared/domain/engine/backtest/make-setup.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';
import { warmUpOf } from '../../../shared/domain/engine/backtest/warm-up.ts';
import { resolveParams } from '../../../shared/domain/engine/rules/params.ts';
import { misfitTimeframes } from '../../../shared/domain/engine/rules/timeframes.ts';
import { SIGNAL_RULES } from '../../../shared/domain/engine/running/signal-rules.ts';
import type { Instrument, Universe } from '../../../shared/domain/instruments/instrument-records.ts';
import { hasOwnClock } from '../../../shared/domain/instruments/instruments.ts';
import { scannerTimeframe } from '../../../shared/domain/plans.ts';
import { TIMEFRAMES, type Timeframe } from '../../../shared/domain/strategies/strategies.ts';
import { MODEL_ACCOUNT } from '../forms/account-form.ts';

/** Latest time that dates can hold: a deployment has no end of its bars. */
const NO_END = 8.64e15;
/** The most instruments of a universe that the hub scans. */
const MAX_SCANNED = 500;

/** Refuses more symbols than one deployment of the hub takes. @throws ValidationError */
const checkCount = (symbols: readonly string[], field: string): void => {
  if (symbols.length <= MAX_MARKETS) return;
  const msg = `ensure this value has at most ${MAX_MARKETS} items`;
  throw invalidValue(['body', field], msg, 'value_error.list.max_items', { limit_value: MAX_MARKETS });
};

/** Symbols and timeframe of a deployment, with the form fields that choose them. */
export interface Choice {
  readonly symbols: readonly string[];
  readonly timeframe: Timeframe;
  readonly field: 'symbol' | 'symbols';
}

/** Returns the key of the rules of a strategy, if it has some. */
export const rulesKeys = ({ rules_hash }: Strategy): Key[] =>
  rules_hash === undefined ? [] : [keys.rules(rules_hash)];

/**
 * Returns the keys of the rules, instruments and series that a deployment of the hub is made from; at most 91.
 *
 * @throws ValidationError for too many symbols.
 */
export const setupKeys = (strategy: Strategy, { symbols, timeframe, field }: Choice): Key[] => {
  checkCount(symbols, field);
  return [...rulesKeys(strategy), ...symbols.flatMap((symbol) => marketKeys(symbol, timeframe))];
};

/** Returns the rules of a strategy; those of signals for one without. */
const readRules = (strategy: Strategy, items: Items) => {
  const [key] = rulesKeys(strategy);
  if (!key) return { rules: SIGNAL_RULES, resolved: SIGNAL_RULES };
  const rules = rulesIn(itemWith(items, key));
  const result = resolveParams(rules, {});
  if (!('rules' in result)) throw new Error('the rules of a strategy do not fit their defaults');
  return { rules, resolved: result.rules };
};

/** Refuses a timeframe from which the operands of rules cannot be made. */
const checkTimeframe = (
  rules: ReturnType<typeof readRules>['rules'],
  timeframe: Timeframe,
  own: Timeframe,
): void => {
  if (misfitTimeframes(rules, timeframe).length === 0) return;
  const msg = `the rules have operands of a timeframe that is no multiple of ${timeframe}`;
  if (timeframe !== own) throw invalidValue(['body', 'timeframe'], msg, 'value_error.timeframe');
  throw new HubError('strategy_unsuitable', `${msg[0]?.toUpperCase()}${msg.slice(1)}. Set other rules.`);
};

interface FoundLeg extends SetupMarket {
  readonly series: Series | undefined;
}

/** Finds the candles and terms of a symbol; without candles, the catalogue tells the calendar. */
const legOf = (items: Items, symbol: string, timeframe: Timeframe, field: string): FoundLeg => {
  const { series, instrument } = marketIn(items, symbol, timeframe);
  if (series) {
    const { timeframe: source, calendar, asset_class } = series;
    return { symbol, source, calendar, asset_class, instrument, to: NO_END, series };
  }
  if (!instrument) {
    throw invalidValue(
      ['body', field],
      'there is no instrument of this symbol, and no candles',
      'value_error.symbol',
    );
  }
  const { asset_class } = instrument;
  const calendar = calendarIdOf(instrument);
  return { symbol, source: timeframe, calendar, asset_class, instrument, to: NO_END, series };
};

/** Work of the hub's engine for a deployment. */
export interface HubRun {
  readonly setup: BacktestSetup;
  /** Stored fields of a deployment that the hub runs. */
  readonly fields: Pick<Deployment, 'engine' | 'is_demo'>;
}

const fieldsOf = ({ rules_hash }: Strategy, { isDemo }: { readonly isDemo: boolean }): HubRun['fields'] => ({
  engine: rules_hash === undefined ? 'signals' : 'hub',
  ...(isDemo && { is_demo: true }),
});

const isOfDemo = (instrument: Instrument | undefined): boolean => hasOwnClock(instrument?.exchange);

/**
 * Returns the setup of a deployment that the hub runs: by its rules, or by signals. Its first bar closes after the newest stored one, or after now
 * if no candles are stored.
 *
 * @param items read at {@link setupKeys}.
 * @throws ValidationError
 * @throws HubError strategy_unsuitable
 */
export const hubRunOf = (
  strategy: Strategy,
  { symbols, timeframe, field }: Choice,
  { items, account, call }: { readonly items: Items; readonly account: AccountInput; readonly call: Call },
): HubRun => {
  const { rules, resolved } = readRules(strategy, items);
  checkTimeframe(rules, timeframe, strategy.timeframe);
  const markets = symbols.map((symbol) => legOf(items, symbol, timeframe, field));
  const unpriced = strategy.rules_hash === undefined && markets.find(({ series }) => series === undefined);
  if (unpriced) {
    // Limits judge an order by the newest price, and losses at closes of bars.
    throw new HubError(
      'strategy_unsuitable',
      `There are no candles of ${unpriced.symbol} to judge orders by.`,
    );
  }
  const stored = markets.flatMap(({ series }) => series ?? []);
  const heads = stored.map((series) => closedUntil(series, timeframe));
  const from = heads.length === 0 ? call.now.getTime() : Math.max(...heads);
  const first = Math.min(from, ...stored.map((series) => series.first));
  return {
    setup: makeSetup({
      rules,
      resolved,
      params: {},
      timeframe,
      markets,
      strategy,
      account,
      from,
      read_from: Math.max(first, from - warmUpOf(resolved, timeframe)),
    }),
    fields: fieldsOf(strategy, { isDemo: markets.every(({ instrument }) => isOfDemo(instrument)) }),
  };
};

/** Refuses universes and timeframes beyond what the hub scans for a plan. @throws HubError */
const checkScan = ({ symbols }: Universe, timeframe: Timeframe, { plan }: User): void => {
  if (symbols.length > MAX_SCANNED) {
    const detail = `The hub scans universes of at most ${MAX_SCANNED} instruments.`;
    throw new HubError('strategy_unsuitable', detail);
  }
  const least = scannerTimeframe(plan);
  if (TIMEFRAMES.indexOf(timeframe) >= TIMEFRAMES.indexOf(least)) return;
  throw new HubError('quota_reached', `The plan allows scanners from a timeframe of ${least} on.`);
};

/**
 * Returns the setup of a scanner: rules and timeframe. The engine finds the candles of its universe.
 *
 * @param items with the rules, and the instrument of the universe's first symbol.
 * @throws HubError strategy_unsuitable, quota_reached
 */
export const scannerRunOf = (
  strategy: Strategy,
  universe: Universe,
  { user, items, call }: { readonly user: User; readonly items: Items; readonly call: Call },
): HubRun => {
  const { timeframe } = strategy;
  const { rules, resolved } = readRules(strategy, items);
  checkTimeframe(rules, timeframe, timeframe);
  checkScan(universe, timeframe, user);
  const [symbol = ''] = universe.symbols;
  return {
    setup: makeSetup({
      rules,
      resolved,
      params: {},
      timeframe,
      markets: [],
      strategy,
      account: MODEL_ACCOUNT,
      from: undefined,
      read_from: call.now.getTime(),
    }),
    fields: fieldsOf(strategy, { isDemo: isOfDemo(marketIn(items, symbol, timeframe).instrument) }),
  };
};
