import { type BarColumns, barCount, firstBarFrom, readBar, sliceBars } from '../../candles/bars.ts';
import type { Account, AccountEvent } from '../account/account.ts';
import { oldestTrade } from '../account/decisions.ts';
import { trade } from '../account/trade.ts';
import { at } from '../memory.ts';
import { ANY_SIGNAL, EVALUATED } from '../observation.ts';
import { observe } from '../observe.ts';
import type { Direction } from '../plan.ts';
import type { HeldTrade } from '../trade-values.ts';
import type { RunningProgram } from './running-program.ts';

/** Values of a bar at the places that the program's tests read; see `reasons.ts`. */
export type Reasons = Float64Array;

/** The model account at the close of a bar. */
interface ModelBar {
  readonly events: readonly AccountEvent[];
  /** Counts of bars in a row. */
  readonly runs: Float64Array;
  /** Index of the bar, as the account counts. */
  readonly bar: number;
  /** Returns the oldest open trade of a side. */
  readonly held: (side: Direction) => HeldTrade | undefined;
}

/** The bars before frames, as an account that is without a trade would have them. */
interface BarsBefore {
  readonly close: number;
  readonly at: number;
  readonly closeBefore: number;
  readonly atBefore: number;
  /** Index and start of the first evaluated bar; -1 and NaN if there is none yet. */
  readonly evaluatedFrom: number;
  readonly evaluatedAt: number;
}

/** Bars with their observations, from which any number of accounts are advanced. Immutable. */
export interface Frames {
  /** Index of the first bar since the program's start. */
  readonly first: number;
  readonly bars: BarColumns;
  /** Observations by position. */
  readonly observations: readonly Float64Array[];
  /** Values that conditions compared, by position; only for bars on which an account may have something to decide. */
  readonly reasons: ReadonlyMap<number, Reasons>;
  /** 1 at positions at which an account that is not active may enter. */
  readonly entrySignals: Uint8Array;
  /** Indices of the entries that turned true, by position. */
  readonly turned: ReadonlyMap<number, readonly number[]>;
  /** The model account, by position; only for bars on which it made a step or an entry turned true. */
  readonly model: ReadonlyMap<number, ModelBar>;
  readonly before: BarsBefore;
}

const NO_RUNS = new Float64Array(0);

/** Returns whether an entry's signal holds for an account that is not active. */
const mayBeEntered = ({ program: { trading } }: RunningProgram, observation: Float64Array): boolean => {
  if (at(observation, EVALUATED) !== 1) return false;
  return (
    trading.runs.length === 0 &&
    trading.entries.some(({ signal }) => signal(observation, undefined, 0, NO_RUNS))
  );
};

/** Observes the bar in the state, and keeps the values that its tests read: observing moves values to the bar before. */
const observeSeen = ({ program, state, seen, early, late }: RunningProgram): void => {
  const { read } = program.explained;
  const { memory } = state;
  for (const index of early) seen[index] = at(memory, read[index] ?? -1);
  observe(program, state);
  for (const index of late) seen[index] = at(memory, read[index] ?? -1);
};

/** Returns the entries that hold now and did not at the bar before, as the model account sees them. */
const turnEntries = (
  { program: { trading }, model, held: heldBefore }: RunningProgram,
  observation: Float64Array,
): number[] => {
  const isEvaluated = at(observation, EVALUATED) === 1;
  const turned: number[] = [];
  for (const [index, { side, signal }] of trading.entries.entries()) {
    const held = oldestTrade(model, side);
    const holds = isEvaluated && signal(observation, held, model.bar - 1, model.runs) ? 1 : 0;
    if (holds === 1 && heldBefore[index] !== 1) turned.push(index);
    heldBefore[index] = holds;
  }
  return turned;
};

const modelBar = (model: Account, events: readonly AccountEvent[]): ModelBar => {
  // Later bars change a trade.
  const [long, short] = [oldestTrade(model, 1), oldestTrade(model, -1)].map((trade) => trade && { ...trade });
  return {
    events,
    runs: model.runs.slice(),
    bar: model.bar - 1,
    held: (side) => (side === 1 ? long : short),
  };
};

const beforeOf = ({ model }: RunningProgram): BarsBefore => {
  const { close, closeBefore, atBefore, evaluatedFrom, evaluatedAt } = model;
  return { close, at: model.at, closeBefore, atBefore, evaluatedFrom, evaluatedAt };
};

/** Returns the bars after the last one of a program. */
const newBars = ({ model }: RunningProgram, bars: BarColumns): BarColumns => {
  if (Number.isNaN(model.at)) return bars;
  const first = firstBarFrom(bars, model.at);
  return sliceBars(bars, bars.start[first] === model.at ? first + 1 : first);
};

/**
 * Advances a program by bars and keeps the observation of each. Bars that the program has seen are left out.
 *
 * @example
 * const frames = observeBars(program, bars);
 * for (const paper of papers) advance(program, paperFills(program, paper), frames);
 */
export const observeBars = (running: RunningProgram, given: BarColumns): Frames => {
  const { program, modelPlan, model, state } = running;
  const bars = newBars(running, given);
  const length = barCount(bars);
  const first = running.index;
  const before = beforeOf(running);
  const observations: Float64Array[] = [];
  const reasons = new Map<number, Reasons>();
  const entrySignals = new Uint8Array(length);
  const turned = new Map<number, readonly number[]>();
  const modelBars = new Map<number, ModelBar>();
  for (let position = 0; position < length; position += 1) {
    readBar(bars, position, state.bar);
    observeSeen(running);
    const observation = state.observation.slice();
    observations.push(observation);
    if (mayBeEntered(running, observation)) entrySignals[position] = 1;
    if (
      at(observation, EVALUATED) === 1 &&
      (program.trading.dependsOnTrade || at(observation, ANY_SIGNAL) === 1)
    ) {
      reasons.set(position, running.seen.slice());
    }
    const steps: AccountEvent[] = [];
    model.journal = steps;
    trade(modelPlan, model, state.bar, observation);
    model.closed.length = 0;
    model.cancelled.length = 0;
    const entries = turnEntries(running, observation);
    if (entries.length > 0) turned.set(position, entries);
    if (steps.length > 0 || entries.length > 0) modelBars.set(position, modelBar(model, steps));
    running.index += 1;
  }
  return { first, bars, observations, reasons, entrySignals, turned, model: modelBars, before };
};

/**
 * Returns the index of the bar after the one that starts at a moment; undefined if neither the program's last bar nor the
 * frames tell. Candles that were imported later shift the indices of a program that was computed again.
 */
export const indexAfter = (
  { model, index }: RunningProgram,
  frames: readonly Frames[],
  start: number,
): number | undefined => {
  if (model.at === start) return index;
  for (const { first, bars, before } of frames) {
    if (before.at === start) return first;
    const position = firstBarFrom(bars, start);
    if (bars.start[position] === start) return first + position + 1;
  }
  return undefined;
};

/** Returns whether an account that is not active may enter at a bar. It skips all other bars. */
export const hasEntrySignal = (frames: Frames, position: number): boolean =>
  frames.entrySignals[position] === 1;
