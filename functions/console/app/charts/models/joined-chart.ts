import type { RulesChart } from '../../../../../infra/client/package/src/index.ts';

/** Joins charts of the same rules over bars that follow each other, oldest first. */
export const joinedChart = (charts: readonly RulesChart[]): RulesChart | undefined => {
  const newest = charts.at(-1);
  if (!newest) return undefined;
  return {
    ...newest,
    warmed_up: charts.every(({ warmed_up }) => warmed_up),
    bars: charts.flatMap(({ bars }) => bars),
    lines: newest.lines.map((line, index) => ({
      ...line,
      values: charts.flatMap(({ lines }) => lines[index]?.values ?? []),
    })),
    conditions: newest.conditions.map((condition, index) => ({
      ...condition,
      values: charts.flatMap(({ conditions }) => conditions[index]?.values ?? []),
    })),
  };
};
