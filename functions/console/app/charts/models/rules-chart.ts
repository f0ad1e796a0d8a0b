import type { RulesChart } from '../../../../../infra/client/package/src/index.ts';
import type { ChartCandle, IndicatorLine } from './candles.ts';

/** Candles and lines of a chart of rules. */
export interface RulesLines {
  readonly candles: readonly ChartCandle[];
  readonly lines: readonly IndicatorLine[];
}

/** The most panes below the candles. Lines of further ones are only in the legend and the table. */
export const MOST_PANES = 3;

/** Names the pane of a line: outputs of one indicator share a pane. */
const paneKey = ({ operand }: RulesChart['lines'][number]): string =>
  JSON.stringify(operand, (name, value: unknown) =>
    name === 'output' || name === 'ago' ? undefined : value,
  );

/** Returns the candles and lines of the answer of `/chart_rules`. */
export const rulesLines = ({ bars, lines }: RulesChart): RulesLines => {
  const panes = [...new Set(lines.filter(({ pane }) => pane === 'own').map(paneKey))];
  return {
    candles: bars.map(([start = 0, open = 0, high = 0, low = 0, close = 0, volume = 0]) => ({
      start: new Date(start).toISOString(),
      open,
      high,
      low,
      close,
      volume,
    })),
    lines: lines.map((line, place) => ({
      label: line.label,
      pane: line.pane === 'price' ? 0 : panes.indexOf(paneKey(line)) + 1,
      place,
      levels: line.levels,
      values: line.values,
    })),
  };
};

/** Returns the conditions that hold at a bar, by their place in the rules; undefined without a bar. */
export const heldAt = (
  chart: RulesChart | undefined,
  at: number | undefined,
): ReadonlyMap<string, boolean> | undefined => {
  const index = chart && at !== undefined ? chart.bars.findIndex(([start]) => start === at) : -1;
  if (!chart || index < 0) return undefined;
  return new Map(
    chart.conditions.flatMap(({ path, values }) => {
      const value = values[index];
      return value === null || value === undefined ? [] : [[path.join('.'), value === 1] as const];
    }),
  );
};

/** Digits of values that people read. */
const DIGITS = 5;

/** Returns a value of a line with as many digits as people read. */
export const readable = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : Number(value.toPrecision(DIGITS));
