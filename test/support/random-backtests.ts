import fc from 'fast-check';
import type { BarColumns } from '../../shared/domain/candles/bars.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { barStartAt } from '../../shared/domain/candles/periods.ts';
import { INTRADAY_MS } from '../../shared/domain/candles/timeframes.ts';
import { tradingDaysOf } from '../../shared/domain/candles/trading-days.ts';
import { plainSettings } from '../../shared/domain/engine/account/settings.ts';
import type { BacktestInput, BacktestLeg } from '../../shared/domain/engine/backtest/run.ts';
import { marketTimeOf } from '../../shared/domain/engine/market-time.ts';
import type { Timeframe } from '../../shared/domain/strategies/strategies.ts';
import { barsOf, randomBars } from './random-bars.ts';
import { randomRules } from './random-rules.ts';
import { crossRules, plainRules } from './rules.ts';

const account = fc
  .record({
    starting_capital: fc.constantFrom(100, 10_000, 1e6),
    commission_rate: fc.constantFrom(0, 0.001),
    commission_fixed: fc.constantFrom(0, 0, 1),
    commission_per_unit: fc.constantFrom(0, 0, 0.01),
    commission_min: fc.constantFrom(0, 0, 2),
    spread_rate: fc.constantFrom(0, 0.0005),
    slippage_rate: fc.constantFrom(0, 0.001),
    margin: fc.constantFrom(1, 1, 0.5, 0.05),
    maintenance: fc.constantFrom(0, 0, 0.02),
    fill_at: fc.constantFrom('next_open', 'signal_close'),
    stop_basis: fc.constantFrom('fill', 'signal_close'),
    entry_bar: fc.constantFrom('worst', 'worst', 'next_bar'),
    close_at_end: fc.constantFrom('mark', 'last_open'),
  })
  .map((terms) => ({ ...plainSettings(terms.starting_capital), ...terms }));

const swap = {
  contract_size: 1,
  tick_size: 0.01,
  digits: 2,
  swap_long: -0.5,
  swap_short: 0.2,
  swap_calculation: 'points',
  triple_swap_weekday: 'wednesday',
} as const;

const CALENDARS = [
  'always',
  'us',
  'us@09:30',
  'weekdays:Europe/London',
  'weekdays:Asia/Kolkata@09:15',
  'forex',
] as const;
const times = new Map(CALENDARS.map((id) => [id, marketTimeOf(calendarById(id))]));

const leg = fc.record({
  calendar: fc.constantFrom(...CALENDARS),
  size_step: fc.constantFrom(1, 0.001),
  contract_size: fc.constantFrom(1, 1, 10),
  direction: fc.constantFrom('both', 'both', 'long', 'short'),
  swap: fc.option(fc.constant(swap), { nil: undefined }),
});

/** A backtest and its bars by leg. */
export interface RandomBacktest {
  readonly input: BacktestInput;
  readonly bars: readonly BarColumns[];
}

/** Moves bars of minutes and hours to the grid of a calendar. */
const onGrid = (bars: BarColumns, calendar: string, timeframe: Timeframe): BarColumns =>
  INTRADAY_MS[timeframe] === undefined
    ? bars
    : { ...bars, start: bars.start.map((at) => barStartAt(calendarById(calendar), timeframe, at)) };

/** Generates backtests of random rules over random bars. @param mostBars most bars of a leg. */
export const randomBacktests = (legs: number, mostBars?: number): fc.Arbitrary<RandomBacktest> =>
  fc.constantFrom<Timeframe>('1d', '1d', '1h', '15m').chain((timeframe) =>
    fc
      .record({
        rules: randomRules(timeframe),
        account,
        from: fc.option(fc.nat(100), { nil: undefined, freq: 2 }),
        legs: fc.array(fc.record({ leg, bars: barsOf(timeframe, mostBars) }), {
          minLength: legs,
          maxLength: legs,
        }),
      })
      .map(({ rules, account: terms, from, legs: given }) => {
        const generated = given.map(({ leg: own, bars }) => ({
          leg: own,
          bars: onGrid(bars, own.calendar, timeframe),
        }));
        const start = from === undefined ? undefined : generated[0]?.bars.start[from];
        return {
          input: {
            rules,
            timeframe,
            account: terms,
            currency: 'USD',
            days: tradingDaysOf(generated.map(({ leg: { calendar } }) => calendar)),
            curve: 'every_bar',
            ...(start !== undefined && { from: start }),
            legs: generated.map(
              ({ leg: { swap: rates, calendar, ...rest } }, index): BacktestLeg => ({
                ...rest,
                time: times.get(calendar) ?? marketTimeOf(calendarById(calendar)),
                symbol: `S${index}`,
                share: 1 / generated.length,
                ...(rates && { swap: rates }),
              }),
            ),
          },
          bars: generated.map(({ bars }) => bars),
        };
      }),
  );

/** Makes a backtest of one leg that trades often. Random ones seldom trade, so that a few may have no trade at all. */
export const tradingBacktest = (): RandomBacktest => ({
  input: {
    rules: plainRules(crossRules(2, 5, { exits: [{ side: 'long', when: { bars_in_trade: 3 } }] })),
    timeframe: '1d',
    account: plainSettings(10_000),
    currency: 'USD',
    days: tradingDaysOf(['always']),
    curve: 'every_bar',
    legs: [
      {
        symbol: 'S0',
        share: 1,
        time: marketTimeOf(calendarById('always')),
        size_step: 1,
        contract_size: 1,
        direction: 'both',
      },
    ],
  },
  bars: [randomBars(7, 80)],
});
