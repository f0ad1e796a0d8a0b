import type { formatsFor } from '../../format.ts';
import type { ChartCandle, ChartTrade, IndicatorLine } from './candles.ts';
import { drawdownLine, type EquityPoint, equityLine, type LinePoint } from './lines.ts';
import { readable } from './rules-chart.ts';

type Formats = ReturnType<typeof formatsFor>;

/** Facts of a line of equity that its sentence needs. */
interface EquityFacts {
  readonly equity: readonly LinePoint[];
  readonly drawdown: readonly LinePoint[];
  /** Return of buying and holding, in percent points; null if it is unknown. */
  readonly held: number | null;
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
  const { equity, drawdown, held, currency, timeframe } = facts;
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
      ? ` The deepest fall shown was ${format.percent(-deepest.value)}, on ${format.bar(deepest.at, timeframe).text}.`
      : '';
  const holding = held === null ? '' : ` Buying and holding made ${format.percent(held, { signed: true })}.`;
  return `Equity ${verb} ${to}, from ${from}${growth}.${fall}${holding}`;
};

/** Facts of a record and the backtest of before that their sentences need. */
interface RecordFacts {
  readonly before: readonly EquityPoint[];
  readonly record: readonly EquityPoint[];
  /** Moment of the publication. */
  readonly publishedAt: string;
  readonly currency: string;
  readonly timeframe: string;
}

/** Describes a track record and the backtest of before in a few sentences. */
export const recordSummary = (
  { before, record, publishedAt, ...more }: RecordFacts,
  format: Formats,
): string => {
  const day = format.day(publishedAt).text;
  const sentenceOf = (points: readonly EquityPoint[]): string =>
    equitySummary(
      { equity: equityLine(points), drawdown: drawdownLine(points), held: null, ...more },
      format,
    );
  return `Backtest of before ${day}: ${sentenceOf(before)} Track record since ${day}, the day of publication: ${sentenceOf(record)}`;
};

/** Facts of candles that their sentence needs. */
interface CandleFacts {
  readonly candles: readonly ChartCandle[];
  readonly lines?: readonly IndicatorLine[];
  readonly trades: readonly ChartTrade[];
  readonly timeframe: string;
}

const tradeText = (
  { side, entry_at, entry_price, exit_at, exit_price }: ChartTrade,
  timeframe: string,
  format: Formats,
): string => {
  const entry = `${side === 'long' ? 'Bought' : 'Sold'} at ${format.price(entry_price)} on ${format.bar(entry_at, timeframe).text}`;
  if (!exit_at) return `${entry}, still open.`;
  return `${entry}, closed at ${format.price(exit_price)} on ${format.bar(exit_at, timeframe).text}.`;
};

/** Describes candles and the trades on them in a few sentences. */
export const candlesSummary = (
  { candles, lines = [], trades, timeframe }: CandleFacts,
  format: Formats,
): string => {
  const first = candles[0];
  const last = candles.at(-1);
  if (!first || !last) return 'No candles.';
  const span = `${format.count(candles.length)} bars from ${format.bar(first.start, timeframe).text} to ${format.bar(last.start, timeframe).text}, the last close at ${format.price(last.close)}.`;
  const values = lines.map(({ label, values: all }) => `${label} ${format.price(readable(all.at(-1)))}`);
  const indicators = values.length > 0 ? [`At the last bar: ${values.join(', ')}.`] : [];
  const shown = trades.slice(0, 3).map((trade) => tradeText(trade, timeframe, format));
  const more = trades.length > shown.length ? ` ${format.count(trades.length)} trades in all.` : '';
  return `${[span, ...indicators, ...shown].join(' ')}${more}`;
};
