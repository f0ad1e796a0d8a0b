import type { Call } from '../../../shared/api/call.ts';
import { HubError, ValidationError } from '../../../shared/api/errors.ts';
import { unknownStrategy, unknownUser } from '../../../shared/api/refusals.ts';
import type { ValidationDetail } from '../../../shared/api/validation-detail.ts';
import { type OwnedBacktests, ownedBacktests } from '../../../shared/data/backtests/user-backtests.ts';
import { ownWorkKey, type WorkBudgets, workBudgetsOf } from '../../../shared/data/backtests/work-budget.ts';
import { MAX_MARKETS, marketIn, marketKeys } from '../../../shared/data/candles/markets.ts';
import { ownSymbol } from '../../../shared/data/candles/own-symbol.ts';
import type { Series } from '../../../shared/data/candles/series.ts';
import { asStrategy, type Strategy } from '../../../shared/data/strategies/strategies.ts';
import { rulesIn } from '../../../shared/data/strategies/strategy-rules.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { type Items, itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import { asUser } from '../../../shared/data/users/users.ts';
import { currencyOf } from '../../../shared/domain/engine/backtest/terms.ts';
import type { Rules } from '../../../shared/domain/engine/rules/shape.ts';
import { misfitTimeframes } from '../../../shared/domain/engine/rules/timeframes.ts';
import type { Instrument } from '../../../shared/domain/instruments/instrument-records.ts';
import { normaliseSymbol } from '../../../shared/domain/instruments/instruments.ts';
import type { Plan } from '../../../shared/domain/plans.ts';
import type { Timeframe } from '../../../shared/domain/strategies/strategies.ts';
import type { Subject } from '../forms/body.ts';

/** A symbol with its candles and its terms of trading. */
export interface Market {
  readonly symbol: string;
  /** Series of the symbol, or of the user's own candles of it. */
  readonly series: Series;
  /** Series of smaller timeframes, smallest first. */
  readonly smaller: readonly Series[];
  /** Undefined for candles of a symbol that is not in the catalogue. */
  readonly instrument: Instrument | undefined;
}

/** Errors of requests to test rules. */
export const TEST_ERRORS = [
  'user_unknown',
  'strategy_unknown',
  'strategy_unsuitable',
  'work_exhausted',
  'quota_reached',
  'changed_meanwhile',
] as const;

/** Records that a request to test rules reads, without candles. */
export interface Prepared {
  readonly userId: string;
  readonly plan: Plan;
  /** True if the user listens to change events. */
  readonly isListening: boolean;
  readonly owned: OwnedBacktests;
  readonly budgets: WorkBudgets;
  /** The user's own budget, as stored. */
  readonly workItem: Item | undefined;
  readonly strategy: Strategy | undefined;
  readonly rules: Rules;
  readonly timeframe: Timeframe;
  readonly markets: readonly Market[];
}

const detail = (
  loc: ValidationDetail['loc'],
  msg: string,
  type = 'value_error',
  ctx?: ValidationDetail['ctx'],
): ValidationDetail => ({ loc: ['body', ...loc], msg, type, ...(ctx && { ctx }) });

/** Refuses fields that exclude each other, and missing ones. @throws ValidationError */
const checkSubject = ({ strategy_id, rules, symbol, symbols, timeframe, from, to }: Subject): void => {
  const problems: ValidationDetail[] = [];
  const missing = (name: string) => problems.push(detail([name], 'field required', 'value_error.missing'));
  if (strategy_id === undefined && rules === undefined) missing('rules');
  if (strategy_id !== undefined && rules !== undefined) {
    problems.push(detail(['rules'], 'send rules or strategy_id, not both'));
  }
  if (symbol !== undefined && symbols !== undefined) {
    problems.push(detail(['symbols'], 'send symbol or symbols, not both'));
  }
  if (strategy_id === undefined) {
    if (symbol === undefined && symbols === undefined) missing('symbol');
    if (timeframe === undefined) missing('timeframe');
  }
  if (from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to)) {
    problems.push(detail(['to'], 'ensure this value is later than from', 'value_error.datetime'));
  }
  if (problems.length > 0) throw new ValidationError(problems);
};

/** Returns the symbols that a request names, with the place of each; undefined for those of the strategy. */
const namedSymbols = ({ symbol, symbols }: Subject) => {
  const listed = symbols ?? symbol?.split(',');
  return listed?.map((text, index) => ({
    symbol: normaliseSymbol(text),
    loc: symbols ? ['symbols', index] : ['symbol'],
  }));
};

type Named = NonNullable<ReturnType<typeof namedSymbols>>;

/** Refuses more symbols than a backtest takes. @throws ValidationError */
const checkCount = (symbols: Named, name: string): void => {
  if (symbols.length <= MAX_MARKETS) return;
  const msg = `ensure this value has at most ${MAX_MARKETS} items`;
  throw new ValidationError([
    detail([name], msg, 'value_error.list.max_items', { limit_value: MAX_MARKETS }),
  ]);
};

/** Series in which the candles of a request are looked for. */
interface Sought {
  readonly timeframe: Timeframe;
  /** Returns the symbol of the series of a symbol. */
  readonly storedAs: (symbol: string) => string;
  /** Explains that a symbol has no series. */
  readonly missing: (symbol: string) => string;
}

const soughtOf = (userId: string, candles: Subject['candles'], timeframe: Timeframe): Sought =>
  candles === 'own'
    ? {
        timeframe,
        storedAs: (symbol) => ownSymbol(userId, symbol),
        missing: (symbol) =>
          `you have no candles of ${symbol} from which the timeframe can be made; import some, or use those of the hub`,
      }
    : {
        timeframe,
        storedAs: (symbol) => symbol,
        missing: () => 'there are no candles of this symbol from which the timeframe can be made',
      };

const keysOf = (symbols: Named, { timeframe, storedAs }: Sought): Key[] =>
  [...new Set(symbols.flatMap(({ symbol }) => symbol ?? []))].flatMap((symbol) =>
    marketKeys(symbol, timeframe, storedAs(symbol)),
  );

const marketsIn = (items: Items, symbols: Named, { timeframe, storedAs, missing }: Sought): Market[] => {
  const markets: Market[] = [];
  const problems: ValidationDetail[] = [];
  const seen = new Set<string>();
  for (const { symbol, loc } of symbols) {
    if (symbol !== undefined && seen.has(symbol)) {
      problems.push(detail(loc, 'the symbol is named twice', 'value_error.symbol'));
      continue;
    }
    const {
      series,
      smaller = [],
      instrument,
    } = symbol === undefined ? {} : marketIn(items, symbol, timeframe, { stored: storedAs(symbol) });
    if (!series || symbol === undefined) {
      problems.push(detail(loc, missing(symbol ?? 'this symbol'), 'value_error.candles'));
      continue;
    }
    seen.add(symbol);
    markets.push({ symbol, series, smaller, instrument });
  }
  const currencies = new Set(markets.map(({ instrument }) => currencyOf(instrument)));
  if (currencies.size > 1) {
    const msg = `symbols are quoted in different currencies: ${[...currencies].join(', ')}`;
    problems.push(detail([symbols[0]?.loc[0] ?? 'symbols'], msg, 'value_error.currency'));
  }
  if (problems.length > 0) throw new ValidationError(problems);
  return markets;
};

const checkTimeframes = (rules: Rules, timeframe: Timeframe, subject: Subject): void => {
  const misfits = misfitTimeframes(rules, timeframe);
  if (misfits.length === 0) return;
  const msg = `ensure this timeframe is a multiple of the backtest's, which is ${timeframe}`;
  throw new ValidationError(
    subject.rules !== undefined
      ? misfits.map((path) => detail(['rules', ...path], msg, 'value_error.timeframe', { timeframe }))
      : [
          detail(
            ['timeframe'],
            `the rules have operands of a timeframe that is no multiple of ${timeframe}`,
            'value_error.timeframe',
          ),
        ],
  );
};

const unsuitable = (): HubError =>
  new HubError(
    'strategy_unsuitable',
    'The strategy has no rules. Set them with /set_strategy_rules, or send rules.',
  );

/**
 * Reads what a request to test rules names, in one or two calls: the user, the strategy with its rules, the instruments
 * and the heads of the series.
 *
 * @throws ValidationError
 * @throws HubError user_unknown, strategy_unknown, strategy_unsuitable
 */
export const prepare = async (call: Call, userId: string, subject: Subject): Promise<Prepared> => {
  checkSubject(subject);
  const { strategy_id: strategyId } = subject;
  const named = namedSymbols(subject);
  // Before anything is read: each symbol costs up to ten keys.
  if (named) checkCount(named, 'symbol');
  const soughtFor = (timeframe: Timeframe): Sought => soughtOf(userId, subject.candles, timeframe);
  const knownMarkets = named && subject.timeframe ? keysOf(named, soughtFor(subject.timeframe)) : undefined;
  const ring = await call.keyRing();
  const own = {
    user: keys.user(userId),
    owned: keys.backtestsOf(userId),
    work: ownWorkKey(ring, userId, call.now),
  };
  const strategyKey = strategyId === undefined ? undefined : keys.strategy(strategyId);
  const first = await call.store.getMany(
    [...Object.values(own), ...(strategyKey ? [strategyKey] : []), ...(knownMarkets ?? [])],
    { consistent: true },
  );
  const user = asUser(itemWith(first, own.user));
  if (!user) throw unknownUser();
  const strategy = strategyKey && asStrategy(itemWith(first, strategyKey));
  if (strategyKey && strategy?.user_id !== userId) throw unknownStrategy();
  if (strategy && strategy.rules_hash === undefined) throw unsuitable();

  const symbols =
    named ??
    strategy?.symbols.map((symbol) => ({ symbol, loc: ['symbols'] satisfies (string | number)[] })) ??
    [];
  if (!named) checkCount(symbols, 'symbols');
  const timeframe = subject.timeframe ?? strategy?.timeframe ?? '1d';
  const sought = soughtFor(timeframe);
  const rulesKey = strategy?.rules_hash === undefined ? undefined : keys.rules(strategy.rules_hash);
  const wanted = [...(rulesKey ? [rulesKey] : []), ...(knownMarkets ? [] : keysOf(symbols, sought))];
  const items =
    wanted.length === 0 ? first : [...first, ...(await call.store.getMany(wanted, { consistent: true }))];
  const rules = subject.rules ?? rulesIn(rulesKey && itemWith(items, rulesKey));
  checkTimeframes(rules, timeframe, subject);
  return {
    userId,
    plan: user.plan,
    isListening: user.listens_since !== undefined,
    owned: ownedBacktests(itemWith(first, own.owned)),
    budgets: workBudgetsOf(ring, {
      user,
      network: call.wideNetwork,
      keyId: call.apiKey()?.keyId,
      now: call.now,
    }),
    workItem: itemWith(first, own.work),
    strategy,
    rules,
    timeframe,
    markets: marketsIn(items, symbols, sought),
  };
};
