import { CandleFileError, type Doubt } from '../../../../shared/domain/candle-files/candle-file-error.ts';
import type { DateOrder } from '../../../../shared/domain/candle-files/dialects.ts';
import type { Decimal } from '../../../../shared/domain/candle-files/notation.ts';
import { openCandles } from '../../../../shared/domain/candle-files/open-candles.ts';
import { type Anchor, anchoredCalendarId, anchorOf } from '../../../../shared/domain/candles/anchor.ts';
import { calendarById, calendarIdOf } from '../../../../shared/domain/candles/calendar.ts';
import { QualityReport } from '../../../../shared/domain/candles/quality.ts';
import { TimeZone } from '../../../../shared/domain/candles/time-zone.ts';
import type { AssetClass } from '../../../../shared/domain/instruments/instruments.ts';
import type { Timeframe } from '../backtests/draft.ts';
import { bytesOf } from './file-bytes.ts';

/** Refused lines that are shown. */
const MOST_SHOWN = 5;
/** The most candles that a page holds. */
const MOST_CANDLES = 5_000_000;

/** Candle as the service takes it: start in milliseconds, open, high, low, close, volume. */
export type Row = readonly number[];

/** Facts of a file that its owner knows. Empty texts are for the service to recognise. */
export interface FileChoices {
  readonly instrument: {
    readonly symbol: string;
    readonly exchange: string;
    readonly asset_class: AssetClass;
  };
  readonly timeframe: Timeframe;
  readonly zone: string;
  readonly dates: DateOrder | '';
  readonly decimal: Decimal | '';
  readonly columns: string;
  readonly anchor: Anchor | '';
  /** Local time with which the stored candles start, which the file continues; undefined for those that start with the clock. */
  readonly storedOpening: string | undefined;
}

/** Candles of a file, and all that is doubtful about it. */
export interface Review {
  /** Says what was recognised. */
  readonly dialect: string;
  /** Name of the program that wrote the file. */
  readonly program: string;
  readonly timeZone: string;
  /** Local time with which the candles start; undefined for those that start with the clock. */
  readonly sessionOpen: string | undefined;
  readonly rows: readonly Row[];
  readonly refused: number;
  readonly firstRefused: readonly { readonly line: number; readonly fault: string }[];
  /** Candles that sessions should have and the file lacks. */
  readonly missing: number;
  /** Lines to look at, in words. */
  readonly findings: string | undefined;
  readonly doubt: Doubt | undefined;
}

/** Candles of a file, or the reason why they cannot be read. */
export type Reviewed =
  | { readonly review: Review; readonly problem?: undefined }
  | { readonly review?: undefined; readonly problem: Doubt };

const reviewOf = async (file: Blob, choices: FileChoices, signal: AbortSignal): Promise<Review> => {
  const { instrument, timeframe, zone, dates, decimal, columns, anchor, storedOpening } = choices;
  const base = calendarIdOf(instrument);
  const kind = {
    calendar: calendarById(storedOpening === undefined ? base : anchoredCalendarId(base, storedOpening)),
    timeframe,
    assetClass: instrument.asset_class,
  };
  const candles = await openCandles(bytesOf(file), {
    kind,
    anchor: anchor === '' ? undefined : anchor,
    zone: zone === '' ? undefined : TimeZone.of(zone),
    dates: dates === '' ? undefined : dates,
    decimal: decimal === '' ? undefined : decimal,
    columns: columns.trim() === '' ? undefined : columns,
  });
  const report = new QualityReport(candles.kind);
  const rows: Row[] = [];
  const firstRefused: { line: number; fault: string }[] = [];
  let refused = 0;
  for await (const one of candles.lines) {
    signal.throwIfAborted();
    if ('fault' in one) {
      refused += 1;
      if (firstRefused.length < MOST_SHOWN) firstRefused.push(one);
      continue;
    }
    const { start, open, high, low, close, volume } = one.bar;
    if (rows.push([start, open, high, low, close, volume]) > MOST_CANDLES) {
      throw new CandleFileError(
        `The file has more than ${MOST_CANDLES.toLocaleString('en')} candles. Divide it.`,
      );
    }
    const { missing, suspicion } = report.add(one.bar);
    if (missing > 0) candles.findings.add('gap', one.line);
    if (suspicion) candles.findings.add(suspicion, one.line);
  }
  const { dialect, program, doubt, findings } = candles;
  return {
    ...{ dialect, program, doubt, rows, refused, firstRefused },
    timeZone: candles.zone.name,
    sessionOpen: anchorOf(candles.kind.calendar.id).opening,
    missing: report.result().missing,
    findings: findings.summary(),
  };
};

/** Reads a file of candles in the browser, and checks each one as the service does. */
export const readCandleFile = async (
  file: Blob,
  choices: FileChoices,
  signal: AbortSignal,
): Promise<Reviewed> => {
  try {
    return { review: await reviewOf(file, choices, signal) };
  } catch (error) {
    if (!(error instanceof CandleFileError)) throw error;
    return { problem: { text: error.text, choice: error.choice } };
  }
};
