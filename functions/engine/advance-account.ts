import type { StoredInput } from '../../shared/data/engine/inputs.ts';
import { type AccountSub, latestDecisions } from '../../shared/data/engine/subscriptions.ts';
import { barCount, firstBarFrom } from '../../shared/domain/candles/bars.ts';
import { advancePaper } from '../../shared/domain/engine/live/advance-paper.ts';
import type { Frames } from '../../shared/domain/engine/live/frames.ts';
import type { LiveProgram } from '../../shared/domain/engine/live/live-program.ts';
import {
  isActive,
  openPaperAccount,
  type PaperAccount,
  restorePaperAccount,
  savePaperAccount,
} from '../../shared/domain/engine/live/paper-account.ts';
import type { AccountReport } from '../../shared/domain/engine/live/reports.ts';
import { settleInputs } from '../../shared/domain/engine/live/settle-inputs.ts';

/** Bars of a program that accounts are advanced through. */
export interface Span {
  readonly live: LiveProgram;
  readonly frames: readonly Frames[];
  /** Start of the last bar. */
  readonly end: number;
}

/** Account after the bars, and what it did. */
export interface Advanced {
  readonly reports: readonly AccountReport[];
  readonly after: AccountSub;
  /** Inputs that took effect earlier than recorded. */
  readonly moved: readonly StoredInput[];
  /** False if the account only moved on, so that nothing is to be written. */
  readonly changed: boolean;
}

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

const advanceWith = (
  span: Span,
  sub: AccountSub,
  options: { readonly entries: boolean; readonly inputs: readonly StoredInput[] },
): Omit<Advanced, 'moved'> => {
  const { live, frames, end } = span;
  const { settings, saved } = sub.paper;
  const paper = saved === '' ? openLate(span, sub) : restorePaperAccount(settings, saved);
  if (!paper) return { reports: [], changed: false, after: sub };
  const reports: AccountReport[] = [];
  const decisions: AccountSub['decisions'] = [];
  // An account that counts bars in a row has to be kept from its first bar on.
  let changed = saved === '' && isActive(paper);
  for (const each of frames) {
    if (each.first + barCount(each.bars) <= paper.index || (each.bars.start[0] ?? end) > end) continue;
    const steps = advancePaper(live, paper, each, { ...options, through: end });
    reports.push(...steps.reports);
    decisions.push(...steps.decisions);
    changed ||= steps.changed;
  }
  const kind = isActive(paper) ? 'A' : 'F';
  const left = options.inputs.filter(({ number }) => number > paper.inputs);
  const { inputs: _, booking: _booked, ...others } = sub;
  return {
    reports,
    changed: changed || kind !== sub.kind,
    after: {
      ...others,
      kind,
      at: end,
      paper: { settings, saved: savePaperAccount(paper) },
      ...(left.length > 0 && { inputs: left }),
      decisions: latestDecisions(sub.decisions, decisions),
    },
  };
};

/** Advances a stored account through bars. Changes nothing; the same account and bars give the same result. */
export const advanceAccount = (span: Span, sub: AccountSub, entries: boolean): Advanced => {
  const given = sub.inputs ?? [];
  let inputs = given;
  for (;;) {
    const advanced = advanceWith(span, sub, { entries, inputs });
    const settled = settleInputs(inputs, advanced.reports, (at) => startBefore(span.frames, sub.at, at));
    if (!settled) return { ...advanced, moved: inputs.filter((input) => !given.includes(input)) };
    inputs = settled;
  }
};
