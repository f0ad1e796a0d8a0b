import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type BarColumns, firstBarFrom, sliceBars } from '../../shared/domain/candles/bars.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { type ExportLine, exportLineSchema } from '../../shared/domain/track-records/export.ts';
import type { CandlesOf } from '../../shared/domain/track-records/own-candles.ts';
import { UnverifiableError, verifyRecord } from '../../shared/domain/track-records/verify.ts';
import { readCandles } from '../backtests/read-candles.ts';
import { CANDLE_HELP, CANDLE_OPTIONS, candleChoicesOf } from './candle-options.ts';
import { explain, UsageError } from './command-line.ts';
import { readOptions } from './read-options.ts';

const HELP = `Computes the export of a track record again, without a server.

  npm run verify-record -- FILE

FILE has the lines of /export_track_record, one object a line. The rules run again over the bars of the export, day by
day, by the terms that it names. Prints the hash of the record if all is as it says; compare it with the one that the
strategy shows. Else names the first day that differs, and what: a term, a date, the rules, a bar, a split, a trade, the
equity or a hash.

  --candles FILE         candles of your own instead of those that the export has or leaves out; of records of one symbol
  ${CANDLE_HELP}
  --help                 this text

Ends with 1 if something differs, or for a fault of the files.
`;

const readLines = async (file: string): Promise<ExportLine[]> => {
  const lines: ExportLine[] = [];
  const input = createReadStream(file);
  try {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (text.trim() === '') continue;
      lines.push(exportLineSchema.parse(JSON.parse(text)));
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new UsageError(`${file} cannot be read.`);
    throw new UsageError(`${file}: line ${lines.length + 1} is not one of an export.`);
  }
  return lines;
};

/** Returns bars of a symbol between two moments. */
const within =
  (symbol: string, bars: BarColumns): CandlesOf =>
  (wanted, from, to) => {
    if (wanted !== symbol) throw new UsageError(`--candles has one symbol, and the record trades ${wanted}.`);
    const begin = firstBarFrom(bars, from);
    return sliceBars(bars, begin, Math.max(begin, firstBarFrom(bars, to)));
  };

/** Returns an export without its candles, which the caller's file replaces. */
const withoutCandles = (lines: readonly ExportLine[]): ExportLine[] =>
  lines.map((line) => (line.type === 'inputs' ? line : { ...line, legs: null }));

const run = async (): Promise<void> => {
  const { values, positionals } = readOptions(HELP, {
    options: { candles: { type: 'string' }, ...CANDLE_OPTIONS },
    allowPositionals: true,
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0)
    throw new UsageError('npm run verify-record -- FILE, or --help');
  const lines = await readLines(file);
  const [first] = lines;
  if (first?.type !== 'inputs') throw new UsageError(`${file} does not begin with the inputs of a record.`);
  const { inputs } = first;
  const [leg] = inputs.legs;
  let candlesOf: CandlesOf | undefined;
  if (values.candles !== undefined && leg) {
    const kind = {
      calendar: calendarById(leg.calendar),
      timeframe: inputs.timeframe,
      assetClass: leg.asset_class,
    };
    const reading = { kind, ...candleChoicesOf(values), skipFaults: false };
    candlesOf = within(leg.symbol, (await readCandles(values.candles, reading)).bars);
  }
  const { finding, days, record_hash, is_recomputed } = await verifyRecord(
    candlesOf ? withoutCandles(lines) : lines,
    candlesOf,
  );
  if (finding) {
    const place = finding.day === null ? 'before the first day' : finding.day;
    console.log(`${place}: ${finding.what}: ${finding.message}`);
    process.exitCode = 1;
    return;
  }
  if (!is_recomputed)
    console.log('The rules are closed: bars and hashes are verified, trades and equity are not.');
  console.log(`${days} days are as the record says: ${record_hash}`);
};

run().catch((error: unknown) => {
  console.error(error instanceof UnverifiableError ? error.message : explain(error));
  process.exitCode = 1;
});
