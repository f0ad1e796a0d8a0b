import type { Periods } from '../candles/periods.ts';
import type { Timeframe } from '../strategies/strategies.ts';
import { TIMEFRAMES } from '../strategies/strategies.ts';
import { minuteOf, type ResolvedCondition, type Test } from './conditions.ts';
import type { Step } from './group.ts';
import type { MarketTime } from './market-time.ts';
import { FIRST_FREE } from './observation.ts';
import { Operands } from './operands.ts';
import { type TradingPlan, tradingPlan } from './plan.ts';
import type { ResolvedRules } from './rules/params.ts';
import { readsTrade, rulesNodes } from './rules/walk.ts';
import { Signals } from './signals.ts';

/** A higher timeframe: its bar is built from the program's bars, and its steps run when it closes. */
export interface HigherGroup {
  readonly periods: Periods;
  readonly steps: readonly Step[];
  /** Place of the group's bar. */
  readonly bar: number;
  /** Place of the start of the current higher bar, and after it 1 if that bar is open. */
  readonly period: number;
}

/** Ends of sessions, for rules that square off. */
export interface SquareOff {
  readonly minute: number;
  /** Place of the local minute. */
  readonly localTime: number;
  readonly sessions: Periods;
  /** Place of the session of the bar before, and after it 1 if that bar was the last of its session. */
  readonly session: number;
}

/** Places and tests of conditions, for explanations of decisions. */
interface Explained {
  readonly tests: ReadonlyMap<ResolvedCondition, Test>;
  /** Places of counts of bars in a row, and indices of counts of the account. */
  readonly counts: ReadonlyMap<ResolvedCondition, number>;
  readonly runs: ReadonlyMap<ResolvedCondition, number>;
  /** Places of values by the JSON of their operand. */
  readonly slots: ReadonlyMap<string, number>;
  /** Places of values at the bar before, by the place of the value. */
  readonly previous: ReadonlyMap<number, number>;
  /** Places that the tests read. */
  readonly read: Int32Array;
}

/** Compiled rules. Immutable: any number of states and accounts share it. */
export interface Program {
  readonly timeframe: Timeframe;
  /** Memory before the first bar. */
  readonly initial: Float64Array;
  readonly observationSize: number;
  readonly bar: number;
  /** Copies to make after a bar, for comparisons with it at the next one, as pairs of places: to, from. */
  readonly copies: Int32Array;
  readonly higher: readonly HigherGroup[];
  readonly steps: readonly Step[];
  /** Places that need a first value, the place of the first mark "has had a value", and that of "all have". */
  readonly needed: Int32Array;
  readonly seen: number;
  readonly warm: number;
  /** Tests, with results from the place {@link FIRST_FREE} of an observation on. */
  readonly tests: readonly Test[];
  /** Values copied into the observation, as pairs of places: observation, memory. */
  readonly copied: Int32Array;
  readonly squareOff: SquareOff | undefined;
  readonly trading: TradingPlan;
  readonly explained: Explained;
}

/** Number of average true ranges that distances can name at most: three for each of ten entries. */
const MAX_RANGES = 30;

/** Returns the most operands whose values accounts need to compare with those of trades; 0 unless they compare any. */
const tradeOperandsOf = (rules: ResolvedRules): number => {
  const operands = [...rulesNodes(rules)].flatMap((node) => ('operand' in node ? [node.operand] : []));
  // With the close of the bar.
  return operands.some(readsTrade) ? operands.length + 1 : 0;
};

const higherGroups = (operands: Operands): HigherGroup[] =>
  [...operands.higher].map(([timeframe, group]) => {
    if (TIMEFRAMES.indexOf(timeframe) < TIMEFRAMES.indexOf(operands.timeframe)) {
      throw new RangeError(`the timeframe ${timeframe} is smaller than ${operands.timeframe}`);
    }
    const period = operands.layout.take(1, Number.NaN);
    operands.layout.take(1, 0);
    return {
      periods: operands.time.periods(operands.timeframe, timeframe),
      steps: group.finish(),
      bar: group.bar,
      period,
    };
  });

const squareOffOf = (rules: ResolvedRules, operands: Operands): SquareOff | undefined => {
  const time = rules.session?.square_off;
  if (time === undefined) return undefined;
  const session = operands.layout.take(1, Number.NaN);
  operands.layout.take(1, 1);
  return {
    minute: minuteOf(time),
    localTime: operands.localTime(),
    sessions: operands.time.periods(operands.timeframe, '1d'),
    session,
  };
};

/**
 * Compiles rules for a timeframe.
 *
 * @throws RangeError for an operand of a smaller timeframe.
 */
export const compile = (rules: ResolvedRules, timeframe: Timeframe, time: MarketTime): Program => {
  const operands = new Operands(timeframe, time);
  const copied = new Map<number, number>();
  const copyOf = (slot: number): number => {
    const place = copied.get(slot) ?? FIRST_FREE + copied.size;
    copied.set(slot, place);
    return place;
  };
  const firstTest = FIRST_FREE + MAX_RANGES + tradeOperandsOf(rules);
  const signals = new Signals(operands, firstTest, copyOf);
  const trading = tradingPlan(rules, operands, signals, (length) => copyOf(operands.atrSlot(length)));
  const squareOff = squareOffOf(rules, operands);
  const needed = Int32Array.from(operands.needed);
  const seen = operands.layout.take(needed.length, 0);
  const warm = operands.layout.take(1, 0);
  const copies = operands.copies();
  const higher = higherGroups(operands);
  const steps = [...operands.base.finish(), ...operands.late];
  return {
    timeframe,
    initial: operands.layout.initial(),
    observationSize: firstTest + signals.tests.length,
    bar: operands.base.bar,
    copies,
    higher,
    steps,
    needed,
    seen,
    warm,
    tests: signals.tests,
    copied: Int32Array.from([...copied].flatMap(([slot, place]) => [place, slot])),
    squareOff,
    trading,
    explained: {
      tests: operands.tests,
      counts: operands.counts,
      runs: signals.runsOf,
      slots: operands.slots,
      previous: operands.previous,
      read: Int32Array.from(operands.read),
    },
  };
};
