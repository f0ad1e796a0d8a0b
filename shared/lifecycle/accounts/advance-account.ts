import { holdsOf, type RecordedHold, type StoredInput } from '../../data/engine/inputs.ts';
import { type AccountSub, latestDecisions } from '../../data/engine/subscriptions.ts';
import { barCount, columnsOf, firstBarFrom } from '../../domain/candles/bars.ts';
import { advancePaper, type SmallerOf, type UsedBars } from '../../domain/engine/live/advance-paper.ts';
import type { PlacedEntry } from '../../domain/engine/live/entry-orders.ts';
import { type Frames, indexAfter, observeBars } from '../../domain/engine/live/frames.ts';
import type { PaperHold } from '../../domain/engine/live/holds.ts';
import type { LiveProgram } from '../../domain/engine/live/live-program.ts';
import type { AccountReport } from '../../domain/engine/live/order-report.ts';
import {
  isActive,
  openPaperAccount,
  type PaperAccount,
  restorePaperAccount,
  savePaperAccount,
} from '../../domain/engine/live/paper-account.ts';
import { waitingRefusals } from '../../domain/engine/live/refusals.ts';
import { settleInputs } from '../../domain/engine/live/settle-inputs.ts';

/** Bars of a program that accounts are advanced through. */
export interface Span {
  readonly live: LiveProgram;
  readonly frames: readonly Frames[];
  /** Start of the last bar. */
  readonly end: number;
  /** Smaller bars of the bars, for fills within them; by default there are none. */
  readonly smallerOf?: SmallerOf;
}

/** Account after the bars, and what it did. */
export interface Advanced {
  readonly reports: readonly AccountReport[];
  readonly after: AccountSub;
  /** Inputs that took effect earlier than recorded. */
  readonly moved: readonly StoredInput[];
  /** Number of the last command that the account has applied or that was looked at; 0 without one. */
  readonly holds: number;
  /** Number of the last command that the account has applied; 0 without one. */
  readonly held: number;
  /** True if a paused account noted why it skipped an entry. */
  readonly isNoted: boolean;
  /** False if the account only moved on, so that nothing is to be written. */
  readonly changed: boolean;
  /** Entries that were placed, if the account is watched. */
  readonly placed: readonly PlacedEntry[];
  /** Bar whose smaller bars have to be known first: all else is of no use then. */
  readonly asked?: Float64Array | undefined;
  /** Smaller bars that decided about the fills of the last bar. */
  readonly used?: UsedBars | undefined;
  /** Close of the last bar, and of the one before. */
  readonly close: number;
  readonly closeBefore: number;
}

/** Tells a watched account whether a limit is concerned at the close of a bar with an open trade. */
export type Watch = NonNullable<Parameters<typeof advancePaper>[3]>['watch'];

/** Opens an account of a deployment that began before its series had bars; undefined if it has none to trade yet. */
const openLate = (
  { live, frames }: Span,
  { symbol, joined_at, paper }: AccountSub,
): PaperAccount | undefined => {
  for (const { first, bars } of frames) {
    const position = firstBarFrom(bars, joined_at + 1);
    if (position === barCount(bars)) continue;
    const cursor = { at: bars.start[position - 1] ?? joined_at, index: first + position };
    return openPaperAccount(paper.settings, live.program.trading, symbol, cursor);
  }
  return undefined;
};

/** Returns the start of the last bar before a moment; that of the account's cursor if the frames begin later. */
const startBefore = (frames: readonly Frames[], cursor: number, at: number): number => {
  let before = cursor;
  for (const { bars } of frames) {
    const position = firstBarFrom(bars, at) - 1;
    before = Math.max(before, bars.start[position] ?? before);
  }
  return before;
};

/** Inputs and commands that an account is advanced with. */
interface Inputs {
  readonly entries: boolean;
  readonly inputs: readonly StoredInput[];
  readonly holds: readonly PaperHold[];
  readonly refusals: NonNullable<AccountSub['refused']>;
  readonly watch: Watch;
}

/** Returns the frames that an account has to see; some without bars if inputs or commands are due after the last one. */
const framesFor = (
  { live, frames, end }: Span,
  paper: PaperAccount,
  { holds, inputs, refusals }: Inputs,
): Frames[] => {
  const own = frames.filter(
    ({ first, bars }) => first + barCount(bars) > paper.index && (bars.start[0] ?? end) <= end,
  );
  const isDue =
    holds.some(({ number }) => number > paper.holds) ||
    inputs.some(({ number }) => number > paper.inputs) ||
    waitingRefusals(paper, refusals).length > 0;
  if (own.length > 0 || !isDue) return own;
  return [observeBars(live, columnsOf([]))];
};

const advanceWith = (span: Span, sub: AccountSub, options: Inputs): Omit<Advanced, 'moved'> => {
  const { live, end } = span;
  const { settings, saved } = sub.paper;
  const paper = saved === '' ? openLate(span, sub) : restorePaperAccount(settings, saved);
  if (!paper) {
    const nothing = { reports: [], placed: [], changed: false, isNoted: false };
    return { ...nothing, holds: 0, held: 0, close: Number.NaN, closeBefore: Number.NaN, after: sub };
  }
  paper.index = indexAfter(live, span.frames, paper.at) ?? paper.index;
  const known = Math.max(paper.holds, options.holds.at(-1)?.number ?? 0);
  const reports: AccountReport[] = [];
  const decisions: AccountSub['decisions'] = [];
  // An account that counts bars in a row has to be kept from its first bar on.
  let changed = saved === '' && isActive(paper);
  const placed: PlacedEntry[] = [];
  let isStopped = false;
  let asked: Float64Array | undefined;
  let used: UsedBars | undefined;
  for (const each of framesFor(span, paper, options)) {
    const steps = advancePaper(live, paper, each, { ...options, smallerOf: span.smallerOf, through: end });
    reports.push(...steps.reports);
    decisions.push(...steps.decisions);
    placed.push(...steps.placed);
    changed ||= steps.changed || steps.isStopped;
    ({ isStopped, asked, used } = { asked: undefined, used: undefined, ...steps });
    if (isStopped || asked) break;
  }
  // A watched account that stopped has yet to see bars: a worker that looks for active accounts must find it.
  const kind = isActive(paper) || (isStopped && paper.at < end) ? 'A' : 'F';
  const { split_at = Number.NEGATIVE_INFINITY } = sub;
  const left = options.inputs.filter(({ number }) => number > paper.inputs);
  const refused = waitingRefusals(paper, options.refusals);
  const { inputs: _, booking: _booked, used: _used, refused: _refused, ...others } = sub;
  return {
    // A candle that was open at a split is in new units. Its fills must not count as of before the split.
    reports: reports.map((report) => (report.at < split_at ? { ...report, at: split_at } : report)),
    placed,
    close: paper.account.close,
    closeBefore: paper.account.closeBefore,
    asked,
    used,
    changed: changed || kind !== sub.kind,
    isNoted: paper.isPaused && decisions.length > 0,
    holds: known,
    held: paper.holds,
    after: {
      ...others,
      kind,
      at: isStopped ? paper.at : end,
      paper: { settings, saved: savePaperAccount(paper) },
      ...(left.length > 0 && { inputs: left }),
      ...(refused.length > 0 && { refused }),
      decisions: latestDecisions(sub.decisions, decisions),
    },
  };
};

/**
 * Advances a stored account through bars. Changes nothing; the same account, bars and commands give the same result.
 *
 * @param recorded commands to the deployment, oldest first; those that the account has applied may be missing.
 * @param watch set if risk limits apply: the account stops after each bar with a step, and where this returns true.
 */
export const advanceAccount = (
  span: Span,
  sub: AccountSub,
  entries: boolean,
  recorded: readonly RecordedHold[] = [],
  watch?: Watch,
): Advanced => {
  const given = sub.inputs ?? [];
  const holds = holdsOf(recorded, sub.symbol);
  const refusals = sub.refused ?? [];
  let inputs = given;
  for (;;) {
    const advanced = advanceWith(span, sub, { entries, inputs, holds, refusals, watch });
    const settled = settleInputs(inputs, advanced.reports, (at) => startBefore(span.frames, sub.at, at));
    if (!settled) return { ...advanced, moved: inputs.filter((input) => !given.includes(input)) };
    inputs = settled;
  }
};
