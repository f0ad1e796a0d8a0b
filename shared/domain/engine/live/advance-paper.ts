import { type BarColumns, barCount, firstBarFrom, readBar } from '../../candles/bars.ts';
import type { Account, AccountEvent } from '../account/account.ts';
import { cancelOrders } from '../account/decisions.ts';
import { needsSmaller, trade } from '../account/trade.ts';
import { COUNT } from '../group.ts';
import { at } from '../memory.ts';
import { EVALUATED } from '../observation.ts';
import { type Decision, decisionsOf } from './decisions.ts';
import { type PlacedEntry, placedEntries } from './entry-orders.ts';
import { type Frames, hasEntrySignal } from './frames.ts';
import { applyHold, nextHold, type PaperHold } from './holds.ts';
import type { LiveProgram } from './live-program.ts';
import type { AccountReport } from './order-report.ts';
import { isActive, type PaperAccount } from './paper-account.ts';
import { applyInput, type NumberedInput, nextInput, type PaperInput } from './paper-inputs.ts';
import { applyRefusals, type PaperRefusal } from './refusals.ts';
import { reportsOf } from './reports.ts';

/** Steps of an account. */
export interface PaperSteps {
  /** Reports in the order of booking. */
  readonly reports: AccountReport[];
  readonly decisions: Decision[];
  /** False if the account only moved on, so that it need not be saved; a skipped entry may be among the decisions. */
  readonly changed: boolean;
  /** Entries that were placed, if the account is watched. */
  readonly placed: PlacedEntry[];
  /** True if the account stopped after a bar: it is watched, or smaller bars decided about its fills. */
  readonly isStopped: boolean;
  /** Bar before which the account stopped: it is not known whether there are smaller bars of it. */
  readonly asked?: Float64Array;
  /** Smaller bars that decided about the fills of the last bar. */
  readonly used?: UsedBars;
}

/** Smaller bars that decided about the fills of a bar. */
export interface UsedBars {
  /** Start of the bar. */
  readonly start: number;
  readonly bars: BarColumns;
}

/** Returns the smaller bars that make up a bar, by its start; null if no stored ones do, undefined if that is not known. */
export type SmallerOf = (start: number) => BarColumns | null | undefined;

interface PaperOptions {
  /** False while the deployment is paused: no entry is placed or filled; exits, stops and targets work. */
  readonly entries?: boolean;
  /** Inputs of the owner, ascending by number. Those that were applied before are skipped. */
  readonly inputs?: readonly PaperInput[];
  /** Commands to the deployment, ascending by number. Those that were applied before are skipped. */
  readonly holds?: readonly PaperHold[];
  /** Entries that are refused. Those that do not wait any more have no effect. */
  readonly refusals?: readonly PaperRefusal[];
  /** By default there are no smaller bars. */
  readonly smallerOf?: SmallerOf | undefined;
  /** Start of the last bar to advance through; all bars of the frames without it. */
  readonly through?: number;
  /**
   * Watches the account: it stops after each bar with a step, and after a bar with an open trade at whose close this
   * returns true.
   */
  readonly watch?: ((at: number, close: number) => boolean) | undefined;
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
export const jumpTo = (paper: PaperAccount, frames: Frames, to: number): void => {
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

/** Returns the position after which an input takes effect; the number of bars without one. */
const inputPosition = ({ bars }: Frames, input: NumberedInput | undefined): number => {
  if (!input) return barCount(bars);
  const position = firstBarFrom(bars, input.after);
  return bars.start[position] === input.after ? position + 1 : position;
};

/** Returns whether a command takes effect before an input of the owner. */
export const isBefore = (hold: PaperHold | undefined, own: PaperInput | undefined): boolean =>
  hold !== undefined && (own === undefined || hold.after < own.after);

/** Returns the next position from one on at which an account that is not active may enter; past the end without one. */
export const nextSignal = (frames: Frames, from: number): number => {
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
 * @throws RangeError if the account is active and the frames begin after its cursor.
 */
export const advancePaper = (
  live: LiveProgram,
  paper: PaperAccount,
  frames: Frames,
  {
    entries = true,
    inputs = [],
    holds = [],
    refusals = [],
    smallerOf = () => null,
    through = Number.POSITIVE_INFINITY,
    watch,
  }: PaperOptions = {},
): PaperSteps => {
  const { account } = paper;
  const plan = live.program.trading;
  const reports: AccountReport[] = [];
  const decisions: Decision[] = [];
  const length = firstBarFrom(frames.bars, through + 1);
  const bar = new Float64Array(COUNT);
  const placed: PlacedEntry[] = [];
  let changed = false;
  let isStopped = false;
  let used: UsedBars | undefined;
  account.journal = [];
  while (!isStopped) {
    const refused = applyRefusals(paper, plan, refusals, takeSteps);
    if (refused.length > 0) {
      changed = true;
      reports.push(...refused);
    }
    const own = nextInput(paper, inputs);
    const hold = nextHold(paper, holds);
    // The books have closed the trade of a manual close, so a command at the same bar finds it closed.
    const input = isBefore(hold, own) ? hold : own;
    if (input && paper.at >= input.after) {
      changed = true;
      const manualId = input === own ? own?.client_order_id : undefined;
      if (own && input === own) applyInput(paper, own);
      else if (hold) applyHold(paper, plan, hold);
      const events = takeSteps(account);
      reports.push(...reportsOf(paper, plan, events, paper.at, manualId));
      decisions.push(...decisionsOf({ live, frames, position: -1 }, account, events));
      continue;
    }
    if (paper.index >= frames.first + length) break;
    account.isPaused = paper.isPaused || !entries;
    account.isHalted = paper.isHalted;
    const position = paper.index - frames.first;
    if (!isActive(paper)) {
      const signal = account.isRuined ? length : nextSignal(frames, Math.max(position, 0));
      const next = Math.min(signal, inputPosition(frames, input), length);
      if (next > position) {
        jumpTo(paper, frames, next);
        continue;
      }
    }
    const observation = frames.observations[position];
    if (!observation) throw new RangeError('the account needs bars before these frames');
    const start = at(frames.bars.start, position);
    if (account.isPaused && account.orders.length > 0) cancelOrders(account, plan, 'paused');
    readBar(frames.bars, position, bar);
    const smaller = needsSmaller(plan, account, bar) ? smallerOf(start) : null;
    if (smaller === undefined) return { reports, decisions, changed, placed, isStopped, asked: bar };
    if (smaller) {
      used = { start, bars: smaller };
      isStopped = true;
      changed = true;
    }
    trade(plan, account, bar, observation, smaller ?? undefined);
    paper.index += 1;
    paper.at = start;
    const events = takeSteps(account);
    if (watch) {
      placed.push(...placedEntries(paper, plan, events));
      isStopped ||= events.length > 0 || (account.trades.length > 0 && watch(start, account.close));
    }
    if (events.length > 0) {
      changed = true;
      reports.push(...reportsOf(paper, plan, events, start));
    } else if (!frames.turned.has(position)) continue;
    decisions.push(...decisionsOf({ live, frames, position }, account, events));
  }
  return { reports, decisions, changed, placed, isStopped, ...(used && { used }) };
};
