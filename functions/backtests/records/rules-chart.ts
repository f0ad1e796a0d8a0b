import * as z from 'zod';
import { extensionRecord, integer, requestRecord } from '../../../shared/api/fields.ts';
import type { Series } from '../../../shared/data/candles/series.ts';
import type { BarColumns } from '../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import type { RulesChart } from '../../../shared/domain/engine/chart/chart-rules.ts';
import { TIMEFRAMES, type Timeframe } from '../../../shared/domain/strategies/strategies.ts';

const lineOut = extensionRecord(
  'ChartLine',
  z.object({
    label: z.string(),
    pane: z.enum(['price', 'own']),
    operand: requestRecord('RulesOperand'),
    levels: z.array(z.number()),
    values: z.array(z.number().nullable()),
  }),
);

const conditionOut = extensionRecord(
  'ChartCondition',
  z.object({
    text: z.string(),
    path: z.array(z.union([z.string(), z.number()])),
    values: z.array(integer({ min: 0, max: 1 }).nullable()),
  }),
);

/** Bars with the lines and conditions of rules. */
export const rulesChartOut = extensionRecord(
  'RulesChart',
  z.object({
    symbol: z.string(),
    timeframe: z.enum(TIMEFRAMES),
    time_zone: z.string(),
    warmed_up: z.boolean(),
    bars: z.array(z.array(z.number())),
    lines: z.array(lineOut),
    conditions: z.array(conditionOut),
  }),
);

/** Digits of values: more than a chart shows. */
const DIGITS = 10;

const valuesOf = (values: Float64Array): (number | null)[] =>
  Array.from(values, (value) => (Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : null));

const rowsOf = ({ start, open, high, low, close, volume }: BarColumns): number[][] => {
  const columns = [start, open, high, low, close, volume];
  return Array.from(start, (_, index) => columns.map((column) => column[index] ?? 0));
};

/** Presents the chart of rules over the shown bars. */
export const presentRulesChart = (
  chart: RulesChart,
  shown: {
    readonly symbol: string;
    readonly timeframe: Timeframe;
    readonly series: Series;
    readonly warmed_up: boolean;
    readonly bars: BarColumns;
  },
): z.input<typeof rulesChartOut> => ({
  symbol: shown.symbol,
  timeframe: shown.timeframe,
  time_zone: calendarById(shown.series.calendar).timeZone.name,
  warmed_up: shown.warmed_up,
  bars: rowsOf(shown.bars),
  lines: chart.lines.map(({ operand, values, levels, ...line }) => ({
    ...line,
    operand: { ...operand },
    levels: [...levels],
    values: valuesOf(values),
  })),
  conditions: chart.conditions.map(({ text, path, values }) => ({
    text,
    path: [...path],
    values: Array.from(values, (value) => (value === 1 ? 1 : value === 0 ? 0 : null)),
  })),
});
