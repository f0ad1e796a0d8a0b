import type { HigherGroup, Program, SquareOff } from './compile.ts';
import { CLOSE, COUNT, HIGH, LOW, OPEN, START, VOLUME } from './group.ts';
import { at, restoreMemory, saveMemory } from './memory.ts';
import { ANY_SIGNAL, EVALUATED, MISSED_SQUARE_OFF, SQUARE_OFF } from './observation.ts';

/** Values of a program's nodes and conditions. Changed in place. */
export interface ProgramState {
  readonly memory: Float64Array;
  /** Place of the bar in the memory: start, open, high, low, close, volume. Callers write the next bar here. */
  readonly bar: Float64Array;
  /** Observation of the last bar: everything that an account needs in addition to the bar. */
  readonly observation: Float64Array;
}

/** Returns the state before the first bar. */
export const newState = (program: Program): ProgramState => {
  const memory = program.initial.slice();
  return {
    memory,
    bar: memory.subarray(program.bar, program.bar + COUNT),
    observation: new Float64Array(program.observationSize),
  };
};

/** Returns the state as text. It includes all windows, so that restoring needs no bars. */
export const saveState = (state: ProgramState): string => saveMemory(state.memory);

/**
 * Returns a state from its text. The observation of the last bar is not part of it.
 *
 * @throws RangeError if the text is of another program.
 */
export const restoreState = (program: Program, saved: string): ProgramState => {
  const state = newState(program);
  restoreMemory(state.memory, saved);
  return state;
};

const closeHigher = (m: Float64Array, { steps, bar, period }: HigherGroup): void => {
  m[period + 1] = 0;
  m[bar + COUNT] = at(m, bar + COUNT) + 1;
  for (const step of steps) step(m);
};

/** Adds a bar to the bar of a higher timeframe. Closes it with its last bar, or with the first bar of the next one. */
const advanceHigher = (m: Float64Array, group: HigherGroup, bar: Float64Array): void => {
  const { periods, bar: own, period } = group;
  const start = at(bar, START);
  const begins = periods.startOf(start);
  if (Number.isNaN(begins)) return;
  if (begins !== at(m, period)) {
    if (at(m, period + 1) === 1) closeHigher(m, group);
    m[period] = begins;
    m[period + 1] = 1;
    m[own + START] = begins;
    m[own + OPEN] = at(bar, OPEN);
    m[own + HIGH] = at(bar, HIGH);
    m[own + LOW] = at(bar, LOW);
    m[own + VOLUME] = 0;
  } else if (at(m, period + 1) === 0) {
    return;
  }
  m[own + HIGH] = Math.max(at(m, own + HIGH), at(bar, HIGH));
  m[own + LOW] = Math.min(at(m, own + LOW), at(bar, LOW));
  m[own + CLOSE] = at(bar, CLOSE);
  m[own + VOLUME] = at(m, own + VOLUME) + at(bar, VOLUME);
  if (periods.closesWith(start)) closeHigher(m, group);
};

/** Marks operands that have a value. Returns whether all have had one. */
const warmUp = (m: Float64Array, { needed, seen, warm }: Program): void => {
  let missing = 0;
  for (let index = 0; index < needed.length; index += 1) {
    const slot = needed[index] ?? 0;
    if (at(m, seen + index) === 1) continue;
    if (Number.isNaN(at(m, slot))) missing += 1;
    else m[seen + index] = 1;
  }
  if (missing === 0) m[warm] = 1;
};

const observeSession = (m: Float64Array, o: Float64Array, squareOff: SquareOff, start: number): void => {
  const { minute, localTime, sessions, session } = squareOff;
  const now = sessions.startOf(start);
  const isNew = !Number.isNaN(now) && now !== at(m, session);
  o[MISSED_SQUARE_OFF] = isNew && at(m, session + 1) === 0 ? 1 : 0;
  const isLast = sessions.closesWith(start);
  if (!Number.isNaN(now)) {
    m[session] = now;
    m[session + 1] = isLast ? 1 : 0;
  }
  o[SQUARE_OFF] = isLast ? 2 : at(m, localTime) >= minute ? 1 : 0;
};

/**
 * Computes the indicators and conditions of the bar that was written to `state.bar`, once for all accounts of a
 * program. Allocates nothing.
 */
export const observe = (program: Program, state: ProgramState): void => {
  const { memory: m, observation: o, bar } = state;
  const { copies, higher, steps, tests, copied, squareOff } = program;
  const count = program.bar + COUNT;
  for (let index = 0; index < higher.length; index += 1) {
    const group = higher[index];
    if (group) advanceHigher(m, group, bar);
  }
  m[count] = at(m, count) + 1;
  for (let index = 0; index < steps.length; index += 1) steps[index]?.(m);
  if (squareOff) observeSession(m, o, squareOff, at(bar, START));
  for (let index = 0; index < copied.length; index += 2) {
    o[copied[index] ?? 0] = at(m, copied[index + 1] ?? 0);
  }
  const isWarm = at(m, program.warm);
  o[EVALUATED] = isWarm;
  if (isWarm === 1) {
    const first = o.length - tests.length;
    let any = 0;
    for (let index = 0; index < tests.length; index += 1) {
      const holds = tests[index]?.(m) ? 1 : 0;
      o[first + index] = holds;
      any |= holds;
    }
    o[ANY_SIGNAL] = any;
  } else warmUp(m, program);
  for (let index = 0; index < copies.length; index += 2) {
    m[copies[index] ?? 0] = at(m, copies[index + 1] ?? 0);
  }
};
