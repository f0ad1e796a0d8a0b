import * as z from 'zod';
import { calendarById } from '../../candles/calendar.ts';
import { tradingDaysOf } from '../../candles/trading-days.ts';
import { ASSET_CLASSES } from '../../instruments/instruments.ts';
import { swapTermsSchema } from '../../instruments/rollover.ts';
import { DIRECTIONS, TIMEFRAMES } from '../../strategies/strategies.ts';
import { accountFigures, fillChoices } from '../account/stored-settings.ts';
import { type MarketTime, marketTimeOf } from '../market-time.ts';
import type { ResolvedRules } from '../rules/params.ts';
import type { BacktestInput } from './run.ts';

const legSchema = z.object({
  symbol: z.string(),
  /** Symbol of the stored series, if it is another one: candles of the user. */
  stored_as: z.string().optional(),
  share: z.number(),
  /** Timeframe of the stored bars: smaller ones are derived from. */
  source: z.enum(TIMEFRAMES),
  calendar: z.string(),
  /** Timeframes of the smaller stored bars that decide about fills within a bar, smallest first. Absent: none. */
  smaller: z.array(z.enum(TIMEFRAMES)).optional(),
  /** End of the symbol's closed bars within the range. */
  to: z.number(),
  asset_class: z.enum(ASSET_CLASSES),
  size_step: z.number(),
  contract_size: z.number(),
  direction: z.enum(DIRECTIONS),
  swap: swapTermsSchema.optional(),
  /** Costs of its own, and the step by which a bar has to go through a limit; absent: those of the account. */
  costs: z
    .object({ commission_rate: z.number(), slippage_rate: z.number(), limit_through: z.number() })
    .optional(),
});

/** Choices of the account that decide its fills and charges. */
export const accountChoices = { financing: z.enum(['instrument', 'none']), ...fillChoices };

/** Stored setup of a backtest, which decides its result together with the candles. Times are in milliseconds since the epoch. */
export const backtestSetupSchema = z.object({
  /** Canonical text of the rules as given, and the values of their parameters. */
  rules: z.string(),
  params: z.record(z.string(), z.number()),
  sentence: z.string(),
  timeframe: z.enum(TIMEFRAMES),
  /** Start of the first bar that may be evaluated; absent: the first bar. */
  from: z.number().optional(),
  /** Bars are read from here. */
  read_from: z.number(),
  currency: z.string(),
  account: z.object({ ...accountFigures, ...accountChoices }),
  legs: z.array(legSchema),
});

export type BacktestSetup = z.output<typeof backtestSetupSchema>;
export type BacktestSetupLeg = z.output<typeof legSchema>;

/** Returns the symbol of the stored series of a leg. */
export const storedSymbol = ({ symbol, stored_as }: Pick<BacktestSetupLeg, 'symbol' | 'stored_as'>): string =>
  stored_as ?? symbol;

/** Lists the owners of the candles of a test: the hub, or the user who runs it. */
export const CANDLE_OWNERS = ['hub', 'own'] as const;

/** Returns whose candles a test runs on. */
export const candleOwnerOf = ({ legs }: Pick<BacktestSetup, 'legs'>): (typeof CANDLE_OWNERS)[number] =>
  legs.some(({ stored_as }) => stored_as !== undefined) ? 'own' : 'hub';

/** Limits of a result that do not change its figures. */
export type RunOptions = Pick<BacktestInput, 'curve' | 'most_trades'>;

/** Returns the input of a backtest. Legs of one calendar share a compiled program. */
export const inputOf = (
  setup: BacktestSetup,
  rules: ResolvedRules,
  options: RunOptions = {},
): BacktestInput => {
  const times = new Map<string, MarketTime>();
  const timeOf = (calendar: string): MarketTime => {
    const time = times.get(calendar) ?? marketTimeOf(calendarById(calendar));
    times.set(calendar, time);
    return time;
  };
  const { financing: _, ...account } = setup.account;
  return {
    rules,
    timeframe: setup.timeframe,
    account,
    currency: setup.currency,
    legs: setup.legs.map(
      ({
        source: _source,
        to: _to,
        asset_class: _class,
        stored_as: _stored,
        smaller,
        calendar,
        swap,
        costs,
        ...leg
      }) => ({
        ...leg,
        time: timeOf(calendar),
        ...(smaller && { hasSmaller: true }),
        ...(swap && { swap }),
        ...(costs && { costs }),
      }),
    ),
    ...(setup.from !== undefined && { from: setup.from }),
    days: tradingDaysOf(setup.legs.map(({ calendar }) => calendar)),
    ...options,
  };
};
