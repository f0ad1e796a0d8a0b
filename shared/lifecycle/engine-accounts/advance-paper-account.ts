import { commandsOf, type RecordedCommand, type StoredInput } from '../../data/engine/inputs.ts';
import type { AccountSub } from '../../data/engine/subscriptions.ts';
import { firstBarFrom } from '../../domain/candles/bars.ts';
import type { PlacedEntry } from '../../domain/engine/running/entry-orders.ts';
import type { Frames } from '../../domain/engine/running/frames.ts';
import type { PaperCommand } from '../../domain/engine/running/holds.ts';
import type { AccountReport } from '../../domain/engine/running/order-report.ts';
import { openPaperAccount, restorePaperAccount } from '../../domain/engine/running/paper-account.ts';
import { paperFills, type UsedBars } from '../../domain/engine/running/paper-fills.ts';
import { waitingRefusals } from '../../domain/engine/running/refusals.ts';
import { settleInputs } from '../../domain/engine/running/settle-inputs.ts';
import { advanceSub, openSub, type Span } from './advance-account.ts';

/** Account on paper after the bars, and what it did. */
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
export type Watch = NonNullable<Parameters<typeof paperFills>[2]>['watch'];

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
  readonly holds: readonly PaperCommand[];
  readonly refusals: NonNullable<AccountSub['refused']>;
  readonly watch: Watch;
}

const advanceWith = (span: Span, sub: AccountSub, options: Inputs): Omit<Advanced, 'moved'> => {
  const { running, smallerOf } = span;
  const paper = openSub(span, sub, openPaperAccount, restorePaperAccount);
  if (!paper) {
    const nothing = { reports: [], placed: [], changed: false, isNoted: false };
    return { ...nothing, holds: 0, held: 0, close: Number.NaN, closeBefore: Number.NaN, after: sub };
  }
  const known = Math.max(paper.holds, options.holds.at(-1)?.number ?? 0);
  const fills = paperFills(running, paper, { ...options, smallerOf });
  const { after, decisions, changed } = advanceSub(span, sub, fills);
  const { split_at = Number.NEGATIVE_INFINITY } = sub;
  const left = options.inputs.filter(({ number }) => number > paper.inputs);
  const refused = waitingRefusals(paper, options.refusals);
  const { inputs: _, used: _used, refused: _refused, ...others } = after;
  return {
    // A candle that was open at a split is in new units. Its fills must not count as of before the split.
    reports: fills.reports.map((report) => (report.at < split_at ? { ...report, at: split_at } : report)),
    placed: fills.placed,
    close: paper.account.close,
    closeBefore: paper.account.closeBefore,
    asked: fills.asked,
    used: fills.used,
    changed,
    isNoted: paper.isPaused && decisions.length > 0,
    holds: known,
    held: paper.holds,
    after: {
      ...others,
      ...(paper.holds > 0 && { seen_inputs: paper.holds }),
      ...(left.length > 0 && { inputs: left }),
      ...(refused.length > 0 && { refused }),
    },
  };
};

/**
 * Advances a stored account on paper through bars. Changes nothing; the same account, bars and commands give the same result.
 *
 * @param recorded commands to the deployment, oldest first; those that the account has applied may be missing.
 * @param watch set if risk limits apply: the account stops after each bar with a step, and where this returns true.
 */
export const advancePaperAccount = (
  span: Span,
  sub: AccountSub,
  entries: boolean,
  recorded: readonly RecordedCommand[] = [],
  watch?: Watch,
): Advanced => {
  const given = sub.inputs ?? [];
  const holds = commandsOf(recorded, sub.symbol);
  const refusals = sub.refused ?? [];
  let inputs = given;
  for (;;) {
    const advanced = advanceWith(span, sub, { entries, inputs, holds, refusals, watch });
    const settled = settleInputs(inputs, advanced.reports, (at) => startBefore(span.frames, sub.at, at));
    if (!settled) return { ...advanced, moved: inputs.filter((input) => !given.includes(input)) };
    inputs = settled;
  }
};
