import { type BarColumns, barCount, columnsOf, concatBars } from '../candles/bars.ts';
import { advanceRun, type ReadSmaller } from '../engine/backtest/advance-run.ts';
import { NO_FACTS } from '../engine/backtest/candle-facts.ts';
import { type BacktestRun, startBacktest } from '../engine/backtest/run.ts';
import { inputOf } from '../engine/backtest/setup.ts';
import { splitLeg } from '../engine/backtest/split-leg.ts';
import { storedRules } from '../engine/backtest/stored-rules.ts';
import { ENGINE_VERSION } from '../engine/version.ts';
import { advanceDay } from './advance-day.ts';
import { hashOfEntry } from './chain.ts';
import { type DayLine, type ExportLine, type InputsLine, importedBars } from './export.ts';
import { checkInputs, checkParts, checkWarmUp, type Finding, finding } from './findings.ts';
import { type CandlesOf, ownBarsOf } from './own-candles.ts';

const NO_BARS = columnsOf([]);

/** Outcome of verifying an export. */
export interface Verified {
  readonly finding: Finding | undefined;
  readonly days: number;
  /** Hash of the last day that is right. */
  readonly record_hash: string;
  /** False if rules are closed: then the hashes are verified, and not the trades and the equity. */
  readonly is_recomputed: boolean;
}

/** The export cannot be verified as it is. */
export class UnverifiableError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnverifiableError';
  }
}

/** Returns the run of disclosed rules before its first bar. */
const runOf = ({ inputs, disclosed }: InputsLine): BacktestRun | undefined => {
  if (!disclosed) return undefined;
  if (inputs.engine_version !== ENGINE_VERSION) {
    throw new UnverifiableError(
      `the record is of version ${inputs.engine_version} of the engine, and this is version ${ENGINE_VERSION}`,
    );
  }
  const setup = {
    ...disclosed,
    ...inputs,
    sentence: '',
    from: inputs.started_at,
    legs: inputs.legs.map((leg) => ({ ...leg, to: Number.MAX_SAFE_INTEGER })),
  };
  return startBacktest(inputOf(setup, storedRules(setup)));
};

/** A chain that is verified day by day. Changed in place. */
interface Verification {
  readonly inputs: InputsLine['inputs'];
  readonly run: BacktestRun | undefined;
  /** All bars so far by symbol. */
  readonly past: BarColumns[];
  hash: string;
  count: number;
}

const restate = (
  { inputs, run, past }: Verification,
  line: DayLine,
  passed: Map<string, DayLine['splits']>,
) => {
  for (const split of line.splits) {
    const index = inputs.legs.findIndex(({ symbol }) => symbol === split.symbol);
    const leg = run?.legs[index];
    const all = [...(passed.get(split.symbol) ?? []), split];
    passed.set(split.symbol, all);
    if (leg) splitLeg(leg, all, past[index] ?? NO_BARS);
  }
};

const usedOf = (line: DayLine, inputs: InputsLine['inputs'], candlesOf: CandlesOf | undefined) => {
  if (line.used) {
    return line.used.map(({ symbol, start, bars }) => ({ symbol, start, bars: importedBars(bars) }));
  }
  if (!candlesOf || inputs.legs.some(({ smaller }) => smaller)) {
    throw new UnverifiableError(
      'the candles of this record are not shown: it can be verified by its operator alone',
    );
  }
  return [];
};

/** Verifies a day. Returns what differs. */
const verifyDay = async (
  own: Verification,
  line: DayLine,
  legs: readonly BarColumns[],
  used: ReturnType<typeof usedOf>,
  passed: Map<string, DayLine['splits']>,
): Promise<Finding | undefined> => {
  const { entry, hash } = line;
  const { run, past, inputs } = own;
  const wrong = checkParts(
    line,
    legs,
    used,
    inputs.legs.map(({ symbol }) => symbol),
  );
  if (wrong) return wrong;
  restate(own, line, passed);
  if (run) {
    const readSmaller: ReadSmaller = async ({ leg, bar }) =>
      used.find(({ symbol, start }) => symbol === inputs.legs[leg]?.symbol && start === bar[0])?.bars;
    const first = legs.flatMap(({ start }) => [...start.subarray(0, 1)]);
    const number = run.barDays.numberOf(Math.min(...first));
    const again = await advanceDay(run, { number, legs }, readSmaller, line.splits);
    if (again.entry.day !== entry.day) {
      return finding(entry.day, 'date', `the bars are of ${again.entry.day}`);
    }
    if (again.entry.trades_count !== entry.trades_count || again.entry.trades_hash !== entry.trades_hash) {
      return finding(entry.day, 'trade', 'the rules make other trades of these bars');
    }
    if (again.entry.equity !== entry.equity) {
      return finding(
        entry.day,
        'equity',
        `the rules make ${again.entry.equity} of these bars, not ${entry.equity}`,
      );
    }
  }
  if (hashOfEntry(own.hash, entry) !== hash) {
    return finding(entry.day, 'hash', 'the hash does not cover this day and the days before');
  }
  for (const [index, bars] of legs.entries()) past[index] = concatBars([past[index] ?? NO_BARS, bars]);
  own.hash = hash;
  own.count += 1;
  return undefined;
};

/**
 * Computes an export of a track record again, and compares it day by day.
 *
 * @param candlesOf candles that the export leaves out.
 * @throws UnverifiableError without the candles, or for another version of the engine.
 */
export const verifyRecord = async (lines: Iterable<ExportLine>, candlesOf?: CandlesOf): Promise<Verified> => {
  let own: Verification | undefined;
  let inputsLine: InputsLine | undefined;
  let isWarm = false;
  const passed = new Map<string, DayLine['splits']>();
  const result = (wrong: Finding | undefined): Verified => ({
    finding: wrong,
    days: own?.count ?? 0,
    record_hash: own?.hash ?? '',
    is_recomputed: own?.run !== undefined,
  });
  const finishWarmUp = async (): Promise<Finding | undefined> => {
    if (!own || !inputsLine || isWarm) return undefined;
    isWarm = true;
    const wrong = checkWarmUp(inputsLine, own.past);
    if (wrong) return wrong;
    const { run } = own;
    const facts = own.past.map(() => NO_FACTS);
    if (run) await advanceRun(run, own.past, facts, async () => undefined);
    return undefined;
  };
  for (const line of lines) {
    if (line.type === 'inputs') {
      const wrong = checkInputs(line);
      if (wrong) return result(wrong);
      inputsLine = line;
      const { inputs } = line;
      own = {
        inputs,
        run: runOf(line),
        past: inputs.legs.map(() => NO_BARS),
        hash: line.first_hash,
        count: 0,
      };
      continue;
    }
    if (!own) throw new UnverifiableError('the first line has to be that of the inputs');
    const { inputs, past } = own;
    const barsOf = (legs: DayLine['legs'], left: (candles: CandlesOf) => BarColumns[]): BarColumns[] => {
      if (!legs) {
        if (!candlesOf) throw new UnverifiableError('the candles are not shown: name a file with --candles');
        return left(candlesOf);
      }
      return inputs.legs.map(({ symbol }) => {
        const given = legs.find((leg) => leg.symbol === symbol);
        return given ? importedBars(given.bars) : NO_BARS;
      });
    };
    if (line.type === 'warm_up') {
      // Candles of the caller's own are taken once, for all parts of the warm-up.
      const legs = barsOf(line.legs, (candles) =>
        inputs.legs.map(({ symbol }, index) =>
          barCount(past[index] ?? NO_BARS) > 0
            ? NO_BARS
            : candles(symbol, inputs.read_from, inputs.started_at),
        ),
      );
      for (const [index, bars] of legs.entries()) past[index] = concatBars([past[index] ?? NO_BARS, bars]);
      continue;
    }
    const cold = await finishWarmUp();
    if (cold) return result(cold);
    const { day } = line.entry;
    const end = inputsLine?.ended_at ?? Number.POSITIVE_INFINITY;
    const legs = barsOf(line.legs, (candles) => ownBarsOf(inputs, day, end, candles));
    const wrong = await verifyDay(own, line, legs, usedOf(line, inputs, candlesOf), passed);
    if (wrong) return result(wrong);
  }
  return result(await finishWarmUp());
};
