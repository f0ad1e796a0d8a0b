import { type Anchor, anchorOf, anchorText } from '../candles/anchor.ts';
import { parseBarTime } from '../candles/bar-time.ts';
import type { SeriesKind } from '../candles/checks.ts';
import { TimeZone } from '../candles/time-zone.ts';
import { INTRADAY_MS } from '../candles/timeframes.ts';
import { rowOf } from '../csv/cells.ts';
import { writtenTime } from '../read-time.ts';
import type { CandleBytes } from './candle-bytes.ts';
import { CandleFileError, type Doubt } from './candle-file-error.ts';
import { openSource } from './candle-source.ts';
import { columnsIn, detect } from './detect.ts';
import type { DateOrder, Dialect } from './dialects.ts';
import { findAnchor } from './find-anchor.ts';
import { Findings } from './findings.ts';
import { type Decimal, dateOrderOf, decimalOf } from './notation.ts';
import { type BarLine, type BarReading, type Columns, readBarLines, timeText } from './read-bars.ts';

/** Holds the facts on a file that the caller knows; the rest is recognised. */
export interface CandleChoices {
  /** Its calendar decides the anchor of a file that fits several. */
  readonly kind: SeriesKind;
  /** Origin of the grid of the candles; found in the file by default. */
  readonly anchor?: Anchor | undefined;
  /** Time zone of local times; that of the exchange by default. */
  readonly zone?: TimeZone | undefined;
  readonly dates?: DateOrder | undefined;
  readonly decimal?: Decimal | undefined;
  /** Names of the columns from the left, separated by commas. */
  readonly columns?: string | undefined;
  /** The most lines to hold of a file that begins with its newest candle; 2,000,000 by default. */
  readonly mostHeld?: number;
}

/** Open file of candles. */
export interface CandleFile {
  /** Describes what was recognised. */
  readonly dialect: string;
  /** Name of the dialect alone. */
  readonly program: string;
  /** Says which volumes are read as 0; undefined if there is a column of volume. */
  readonly doubt: Doubt | undefined;
  /** Kind of the candles, with the calendar on whose grid they start. */
  readonly kind: SeriesKind;
  /** Time zone of local times. */
  readonly zone: TimeZone;
  readonly lines: AsyncIterable<BarLine>;
  readonly findings: Findings;
  /** Fraction of the file that has been read, from 0 to 1. */
  readonly progress: () => number;
}

type Row = Readonly<Record<string, string>>;

const orderOf = (rows: readonly Row[], columns: Columns, dialect: Dialect, given?: DateOrder) => {
  const known = given ?? dialect.dates;
  if (known) return known;
  const { order, uncertain } = dateOrderOf(rows.map((row) => row[columns.time] ?? ''));
  if (uncertain === undefined) return order;
  throw new CandleFileError(
    `The order of day and month is not certain in ${uncertain}, nor in the other dates at the beginning.`,
    'dates',
  );
};

const numberMarkOf = (rows: readonly Row[], columns: Columns, given?: Decimal): Decimal => {
  if (given) return given;
  const { open, high, low, close, volume } = columns;
  const names = [open, high, low, close, ...(volume === undefined ? [] : [volume])];
  const found = decimalOf(rows.flatMap((row) => names.map((name) => row[name] ?? '')));
  if ('decimal' in found) return found.decimal;
  throw new CandleFileError(`The comma of ${found.uncertain} may mark decimals or thousands.`, 'decimal');
};

/** Checks local times of bars within a day in a zone that is not the exchange's. @throws CandleFileError without a zone. */
const localFact = (
  times: readonly string[],
  { name, localTimes }: Dialect,
  { kind, zone }: CandleChoices,
): string[] => {
  if (localTimes === undefined || INTRADAY_MS[kind.timeframe] === undefined) return [];
  if (!times.some((text) => writtenTime(text)?.offset === undefined)) return [];
  if (zone) return [`times in ${localTimes}`];
  throw new CandleFileError(`dialect: ${name}, times in ${localTimes}.`, 'time_zone');
};

/** Refuses a file none of whose first times has a known form. @throws CandleFileError */
const refuseUnknownTimes = (times: readonly string[]): void => {
  const [first] = times;
  if (first === undefined || times.some((text) => writtenTime(text) || /^\d{9,19}$/.test(text))) return;
  throw new CandleFileError(
    `The times of the file have no known form, such as ${first.slice(0, 40) || 'the first one, which is empty'}. Write them as 2024-01-31, or 2024-01-31T15:00.`,
  );
};

const isDescending = (starts: readonly number[]): boolean => {
  const later = starts.filter((start, index) => start > (starts[index - 1] ?? start)).length;
  const earlier = starts.filter((start, index) => start < (starts[index - 1] ?? start)).length;
  return earlier > later;
};

const volumeDoubt = (columns: Columns, names: readonly string[]): Doubt | undefined => {
  if (columns.volume !== undefined) return undefined;
  const read: readonly (string | undefined)[] = Object.values(columns);
  const rest = names.filter((name) => name !== '' && !read.includes(name));
  return rest.length === 0
    ? { text: 'The file has no volumes: they are 0.' }
    : {
        text: `No column of volume was recognised, and volumes are 0. Columns that are not read: ${rest.join(', ')}.`,
        choice: 'columns',
      };
};

const volumeFact = (name: string | undefined): string[] => {
  if (name === undefined) return ['no volume'];
  return name === 'volume' ? [] : [`volume from ${name}`];
};

const anchorFact = ({ id }: SeriesKind['calendar']): string[] =>
  anchorOf(id).anchor === 'clock' ? [] : [`anchor ${anchorText(id)}`];

const MOST_HELD = 2_000_000;

const ORDERS = { dmy: 'day/month', mdy: 'month/day' } as const;

/**
 * Opens a file of candles and recognises its dialect, separator, times and numbers by its first 2,000 lines. Lines are
 * read on demand; JSON is held whole, and a file that begins with its newest candle is held until its end.
 *
 * @throws CandleFileError with the choice that decides where the file is ambiguous.
 */
export const openCandles = async (file: CandleBytes, choices: CandleChoices): Promise<CandleFile> => {
  const { mostHeld = MOST_HELD } = choices;
  const source = await openSource(file);
  const detected = detect(source.sample, source.headers, choices.columns);
  const { dialect, names, after } = detected;
  const zone =
    choices.zone ?? (dialect.zone === undefined ? choices.kind.calendar.timeZone : TimeZone.of(dialect.zone));
  const columns = columnsIn(detected);
  const rows = source.sample
    .filter(({ last }) => last > after)
    .map(({ last, cells }) => rowOf(last, cells, names))
    .flatMap((one) => ('row' in one ? [one.row] : []));
  const dates = orderOf(rows, columns, dialect, choices.dates);
  const decimal = numberMarkOf(rows, columns, choices.decimal);
  const times = rows.map((row) => timeText(row, columns, dates));
  refuseUnknownTimes(times);
  const local = localFact(times, dialect, choices);
  const starts = times
    .map((text) => parseBarTime(text, choices.kind.calendar, choices.kind.timeframe, zone))
    .filter((start) => typeof start === 'number');
  const isNewestFirst = isDescending(starts);
  const calendar = findAnchor(starts, choices.kind, choices.anchor);
  const kind = { ...choices.kind, calendar };
  const findings = new Findings();
  const reading: BarReading = { columns, kind, zone, dates, decimal, isNewestFirst, mostHeld, findings };
  const { lines, progress } = await source.open(names, after);
  return {
    program: dialect.name,
    dialect: [
      `dialect: ${dialect.name}`,
      ...source.facts,
      ...(dates ? [`dates as ${ORDERS[dates]}`] : []),
      ...(decimal === 'comma' ? ['decimal commas'] : []),
      ...volumeFact(columns.volume),
      ...(isNewestFirst ? ['newest first'] : []),
      ...local,
      ...anchorFact(calendar),
    ].join(', '),
    doubt: volumeDoubt(columns, names),
    kind,
    zone,
    lines: readBarLines(lines, reading),
    findings,
    progress,
  };
};
