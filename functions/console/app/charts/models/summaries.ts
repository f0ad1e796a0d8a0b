import type { formatsFor } from '../../format.ts';
import type { LinePoint } from './lines.ts';

type Formats = ReturnType<typeof formatsFor>;

/** Facts of a line of equity that its sentence needs. */
interface EquityFacts {
  readonly equity: readonly LinePoint[];
  readonly drawdown: readonly LinePoint[];
  readonly benchmark: readonly LinePoint[];
  readonly currency: string;
  readonly timeframe: string;
}

const changeOf = (line: readonly LinePoint[]): number | undefined => {
  const first = line[0];
  const last = line.at(-1);
  return first && last && first.value > 0 ? (last.value / first.value - 1) * 100 : undefined;
};

/** Describes a chart of equity in a sentence or two, for people who do not see it. */
export const equitySummary = (facts: EquityFacts, format: Formats): string => {
  const { equity, drawdown, benchmark, currency, timeframe } = facts;
  const first = equity[0];
  const last = equity.at(-1);
  if (!first || !last) return 'No equity yet.';
  const change = changeOf(equity);
  const verb = last.value === first.value ? 'stayed at' : last.value > first.value ? 'rose to' : 'fell to';
  const from = `${format.money(first.value, currency)} on ${format.bar(first.at, timeframe).text}`;
  const to = `${format.money(last.value, currency)} on ${format.bar(last.at, timeframe).text}`;
  const growth = change === undefined ? '' : ` (${format.percent(change, { signed: true })})`;
  const deepest = drawdown.reduce<LinePoint | undefined>(
    (lowest, point) => (lowest && lowest.value <= point.value ? lowest : point),
    undefined,
  );
  const fall =
    deepest && deepest.value < 0
      ? ` The deepest fall from a high was ${format.percent(-deepest.value)}, on ${format.bar(deepest.at, timeframe).text}.`
      : '';
  const held = changeOf(benchmark);
  const holding =
    held === undefined ? '' : ` Buying and holding made ${format.percent(held, { signed: true })}.`;
  return `Equity ${verb} ${to}, from ${from}${growth}.${fall}${holding}`;
};

/** Describes a small line in a sentence. */
export const sparkSummary = (label: string, values: readonly number[], format: Formats): string => {
  const first = values[0];
  const last = values.at(-1);
  if (first === undefined || last === undefined) return `${label}: no figures yet`;
  if (first <= 0) return `${label}: ${values.length} figures`;
  return `${label}: ${format.percent((last / first - 1) * 100, { signed: true })}`;
};
