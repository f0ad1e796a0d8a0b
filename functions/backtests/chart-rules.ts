import * as z from 'zod';
import { extensionRecord, integer, timeOfRequest } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { hiddenCandles, invalidValue } from '../../shared/api/refusals.ts';
import { isHidden } from '../../shared/data/candles/is-hidden.ts';
import { barCount, firstBarFrom, sliceBars } from '../../shared/domain/candles/bars.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { chartRules as chartOf } from '../../shared/domain/engine/chart/chart-rules.ts';
import { marketTimeOf } from '../../shared/domain/engine/market-time.ts';
import { rulesSchema } from '../../shared/domain/engine/rules/schema.ts';
import { TIMEFRAMES } from '../../shared/domain/strategies/strategies.ts';
import { withCharge } from './charging/with-work.ts';
import { paramValues, subjectFields } from './forms/body.ts';
import { presentRulesChart, rulesChartOut } from './records/rules-chart.ts';
import { readLegs } from './running/candles.ts';
import { chartRange } from './setup/chart-range.ts';
import { prepare } from './setup/prepare.ts';
import { MAX_WORK_AT_ONCE, setupOf } from './setup/setup.ts';

const DEFAULT_BARS = 500;
/** The most bars of a chart. With all lines and conditions of the largest rules, an answer is some megabytes. */
const MAX_BARS = 1500;

const chartIn = extensionRecord(
  'RulesChartIn',
  z.strictObject({
    rules: rulesSchema,
    params: paramValues(),
    symbol: z.string(),
    timeframe: z.enum(TIMEFRAMES).default('1d'),
    from: timeOfRequest().optional(),
    to: timeOfRequest().optional(),
    bars: integer({ min: 1, max: MAX_BARS }).default(DEFAULT_BARS),
    candles: subjectFields.candles,
  }),
);

const severalSymbols = () => invalidValue(['body', 'symbol'], 'name one symbol', 'value_error.symbol');

const tooMuch = () =>
  invalidValue(
    ['body', 'bars'],
    'ensure these bars are made of fewer stored ones: ask for fewer bars, or a timeframe nearer to the stored candles',
    'value_error.candles',
  );

export const chartRules = defineOperation({
  method: 'POST',
  path: '/chart_rules',
  name: 'chart_rules',
  summary: 'Draw rules over candles',
  description:
    'The newest bars that start from `from` and before `to`, with the values of the indicators of rules and whether each condition holds, as in a backtest that begins with the first of these bars. ' +
    'Bars before it warm the indicators up; `warmed_up` is false if a request cannot read as many as a backtest does, so that values may differ. ' +
    'Conditions on open trades have no values. It stores nothing and counts as work of the day. 403 `candles_hidden` for candles whose source does not allow showing them.',
  caller: 'user',
  scope: 'research',
  extension: true,
  limits: { body: 64 * 1024 },
  input: { query: z.object({ user_id: z.string() }), json: chartIn },
  output: rulesChartOut,
  errors: ['candles_hidden', 'user_unknown', 'work_exhausted', 'quota_reached'],
  uses: ['feeds', 'marketData'],
  table: 'write',
  rateClass: 'work',
  storesNothing: true,
  handler: async ({ query: { user_id: userId }, json: { params, bars: most, ...asked } }, call) => {
    const subject = { ...asked, account: subjectFields.account.parse(undefined) };
    const prepared = await prepare(call, userId, subject);
    const [market, ...others] = prepared.markets;
    if (!market || others.length > 0) throw severalSymbols();
    const { series, symbol } = market;
    if (asked.candles === 'hub' && isHidden(call, series)) throw hiddenCandles();
    const { setup, rules } = setupOf(prepared, subject, params);
    const range = chartRange(setup, rules, series, { bars: most, most: MAX_WORK_AT_ONCE });
    if (!range) throw tooMuch();
    const { timeframe } = prepared;
    return withCharge(call, prepared, range.units, async () => {
      const [candles] = await readLegs(call.store, range.setup, [series]);
      const bars = candles?.bars ?? sliceBars(series.bars, 0, 0);
      const count = barCount(bars);
      const first = Math.max(count - most, firstBarFrom(bars, setup.from ?? Number.NEGATIVE_INFINITY), 0);
      const time = marketTimeOf(calendarById(series.calendar));
      const chart = chartOf(rules, { timeframe, time, bars, first });
      const shown = { symbol, timeframe, series, warmed_up: range.isWarmedUp, bars: sliceBars(bars, first) };
      return { value: presentRulesChart(chart, shown), ran: range.units };
    });
  },
});
