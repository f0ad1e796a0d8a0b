import { barCount, firstBarFrom, readBar } from '../../candles/bars.ts';
import type { Account, AccountEvent } from '../account/account.ts';
import { COUNT } from '../group.ts';
import { at } from '../memory.ts';
import { EVALUATED } from '../observation.ts';
import { type Decision, decisionsOf } from './decision-texts.ts';
import { type Frames, hasEntrySignal } from './frames.ts';
import type { PaperAccount } from './paper-account.ts';
import type { RunningProgram } from './running-program.ts';

/** An account with its source of fills: bars that simulate them, or a broker that reports them. */
export interface Fills {
  readonly paper: PaperAccount;
  /** Sets the index of the next bar. */
  readonly place: (index: number) => void;
  /** Returns whether the account has to see every bar. */
  readonly isActive: () => boolean;
  /** Returns frames without bars, if something may be due after the last bar. */
  readonly withoutBars: () => Frames | undefined;
  /**
   * Applies all that takes effect after the account's last bar.
   *
   * @param note notes a change with its steps.
   * @returns the start of the bar after which more takes effect; undefined if nothing waits.
   */
  readonly applyDue: (note: (events: readonly AccountEvent[]) => void) => number | undefined;
  /**
   * Moves an active account to frames that begin after its cursor.
   *
   * @throws RangeError if its fills depend on the bars between.
   */
  readonly skipTo: (frames: Frames) => void;
  /** Takes a bar. Returns false if the account cannot take it yet. */
  readonly trade: (bar: Float64Array, observation: Float64Array) => boolean;
  /** Keeps the steps at the last bar. Returns whether the account stops after it. */
  readonly keep: (events: readonly AccountEvent[]) => boolean;
  /** Returns the account as text. */
  readonly save: () => string;
}

/** Steps of an account. */
export interface Steps {
  readonly decisions: Decision[];
  /** False if the account only moved on, so that it need not be saved; a skipped entry may be among the decisions. */
  readonly changed: boolean;
  /** True if the account stopped, though more bars may follow. */
  readonly isStopped: boolean;
}

const closeAt = ({ bars, before }: Frames, position: number): number =>
  position >= 0 ? at(bars.close, position) : position === -1 ? before.close : before.closeBefore;

const startAt = ({ bars, before }: Frames, position: number): number =>
  position >= 0 ? at(bars.start, position) : position === -1 ? before.at : before.atBefore;

/** Notes the first evaluated bar of an account, before a position. */
const noteEvaluated = ({ account, index }: PaperAccount, frames: Frames, to: number): void => {
  if (account.evaluatedFrom >= 0) return;
  const { first, before, observations } = frames;
  const opened = index - account.bar;
  if (before.evaluatedFrom >= 0 && opened < first) {
    account.evaluatedFrom = Math.max(before.evaluatedFrom - opened, 0);
    account.evaluatedAt = before.evaluatedFrom >= opened ? before.evaluatedAt : Number.NaN;
    return;
  }
  for (let position = Math.max(opened - first, 0); position < to; position += 1) {
    const observation = observations[position];
    if (!observation || at(observation, EVALUATED) !== 1) continue;
    account.evaluatedFrom = first + position - opened;
    account.evaluatedAt = startAt(frames, position);
    return;
  }
};

/** Moves an account that is not active to a position, as trading the bars before it would. */
const jumpTo = (paper: PaperAccount, frames: Frames, to: number): void => {
  const { account } = paper;
  const bars = frames.first + to - paper.index;
  if (!account.isRuined) noteEvaluated(paper, frames, to);
  account.closeBefore = bars === 1 ? account.close : closeAt(frames, to - 2);
  account.atBefore = bars === 1 ? account.at : startAt(frames, to - 2);
  account.close = closeAt(frames, to - 1);
  account.at = startAt(frames, to - 1);
  account.equity = account.cash;
  account.bar += bars;
  paper.index += bars;
  paper.at = account.at;
};

/** Returns the position after the bar that starts at a moment, or before the next one; the number of bars without one. */
const positionAfter = ({ bars }: Frames, after: number | undefined): number => {
  if (after === undefined) return barCount(bars);
  const position = firstBarFrom(bars, after);
  return bars.start[position] === after ? position + 1 : position;
};

/** Returns the next position from one on at which an account that is not active may enter; past the end without one. */
const nextSignal = (frames: Frames, from: number): number => {
  const length = barCount(frames.bars);
  let position = from;
  while (position < length && !hasEntrySignal(frames, position)) position += 1;
  return position;
};

/** Takes the steps of an account out of it. */
export const takeSteps = (account: Account): readonly AccountEvent[] => {
  const events = account.journal ?? [];
  if (events.length > 0) account.journal = [];
  account.closed.length = 0;
  account.cancelled.length = 0;
  return events;
};

/**
 * Advances an account through the frames from its own cursor on. An account that is not active skips the bars without an
 * entry's signal; frames may begin after its cursor.
 *
 * @param through start of the last bar to advance through; all bars of the frames without it.
 */
export const advance = (
  running: RunningProgram,
  fills: Fills,
  frames: Frames,
  through = Number.POSITIVE_INFINITY,
): Steps => {
  const { paper } = fills;
  const { account } = paper;
  const length = firstBarFrom(frames.bars, through + 1);
  const decisions: Decision[] = [];
  const bar = new Float64Array(COUNT);
  let changed = false;
  let isStopped = false;
  account.journal = [];
  const note = (position: number, events: readonly AccountEvent[]): void => {
    decisions.push(...decisionsOf({ running, frames, position }, account, events));
  };
  const noteChange = (events: readonly AccountEvent[]): void => {
    changed = true;
    note(-1, events);
  };
  while (!isStopped) {
    const after = fills.applyDue(noteChange);
    if (paper.index < frames.first && fills.isActive()) {
      fills.skipTo(frames);
      changed = true;
    }
    const position = paper.index - frames.first;
    if (position >= length) break;
    if (!fills.isActive()) {
      const signal = account.isRuined ? length : nextSignal(frames, Math.max(position, 0));
      const next = Math.min(signal, positionAfter(frames, after), length);
      if (next > position) {
        jumpTo(paper, frames, next);
        continue;
      }
    }
    const observation = frames.observations[position];
    if (!observation) throw new RangeError('the account needs bars before these frames');
    readBar(frames.bars, position, bar);
    isStopped = !fills.trade(bar, observation);
    if (isStopped) break;
    paper.index += 1;
    paper.at = at(frames.bars.start, position);
    const events = takeSteps(account);
    isStopped = fills.keep(events);
    changed ||= isStopped || events.length > 0;
    if (events.length > 0 || frames.turned.has(position)) note(position, events);
  }
  return { decisions, changed, isStopped };
};
