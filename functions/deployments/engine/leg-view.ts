import type { RecordedCommand } from '../../../shared/data/engine/inputs.ts';
import type { AccountSub, Sub } from '../../../shared/data/engine/subscriptions.ts';
import { type BarColumns, barCount, sliceBars } from '../../../shared/domain/candles/bars.ts';
import { type Explanation, explain } from '../../../shared/domain/engine/running/explain.ts';
import { indexAfter } from '../../../shared/domain/engine/running/frames.ts';
import {
  newPaper,
  type PaperAccount,
  restorePaperAccount,
} from '../../../shared/domain/engine/running/paper-account.ts';
import { restoreRealAccount } from '../../../shared/domain/engine/running/real-account.ts';
import type { RunningProgram } from '../../../shared/domain/engine/running/running-program.ts';
import { waitingText } from '../../../shared/domain/engine/running/waiting.ts';
import type { Span } from '../../../shared/lifecycle/engine-accounts/advance-account.ts';
import { advancePaperAccount } from '../../../shared/lifecycle/engine-accounts/advance-paper-account.ts';
import { advanceRealAccount } from '../../../shared/lifecycle/engine-accounts/advance-real-account.ts';
import {
  type LoadedProgram,
  loadProgram,
  observeNext,
} from '../../../shared/lifecycle/engine-accounts/program-memory.ts';
import type { StoredLeg } from './read-legs.ts';

/** Bars that are observed at once. */
const SLICE = 500;

/** A symbol as the engine sees it after its last bar. */
export interface LegView {
  readonly waits_for: string;
  readonly running?: RunningProgram;
  /** Start of the last bar. */
  readonly at?: number;
  readonly explanation?: Explanation;
  /** Account of a paper deployment. */
  readonly paper?: PaperAccount;
}

const restored = ({ is_live, paper: { settings, saved } }: AccountSub): PaperAccount | undefined => {
  if (saved === '') return undefined;
  return is_live ? restoreRealAccount(settings, saved).paper : restorePaperAccount(settings, saved);
};

/** Returns a stored account at its place in the bars of its program. */
const placed = ({ running, frames }: Span, sub: AccountSub): PaperAccount | undefined => {
  const paper = restored(sub);
  if (paper) paper.index = indexAfter(running, frames, paper.at) ?? paper.index;
  return paper;
};

/** Returns the number of the last command that an account took; Infinity for one that takes none. */
export const takenHolds = (sub: Sub | undefined): number =>
  !sub || sub.kind === 'N' || sub.is_live ? Number.POSITIVE_INFINITY : (restored(sub)?.holds ?? 0);

/** Returns an account with real orders after the last bar, without deciding anything at the bars that it has not seen. */
const realAccountAt = (span: Span, sub: AccountSub): PaperAccount | undefined => {
  const inputs = sub.seen_inputs ?? 0;
  const context = { inputs, state: 'active', flatten: false, fresh_from: Number.POSITIVE_INFINITY } as const;
  return placed(span, advanceRealAccount(span, sub, [], context).after);
};

/**
 * Returns an account after the last bar as the engine will store it. If the engine has yet to book something, returns
 * it as stored: nothing is shown that the books do not have.
 */
const accountAt = (
  span: Span,
  sub: AccountSub,
  { entries, holds, savedAt }: Pick<ViewOptions, 'entries' | 'holds'> & { readonly savedAt: number },
): { readonly paper: PaperAccount | undefined; readonly isBehind: boolean } => {
  // The state was saved, after the account, between the reads of the two.
  if (sub.kind === 'A' && sub.at < savedAt) return { paper: placed(span, sub), isBehind: true };
  if (sub.error !== undefined || sub.at >= span.end) return { paper: placed(span, sub), isBehind: false };
  if (sub.is_live) return { paper: realAccountAt(span, sub), isBehind: false };
  const { after, reports } = advancePaperAccount(span, sub, entries, holds);
  const isBehind = reports.length > 0;
  return { paper: placed(span, isBehind ? sub : after), isBehind };
};

/** Advances a program by bars. @param keepAfter start of the last bar whose observation the account does not need. */
const observeAll = (loaded: LoadedProgram, bars: BarColumns, keepAfter: number): void => {
  for (let from = 0; from < barCount(bars); from += SLICE) {
    observeNext(loaded, sliceBars(bars, from, Math.min(barCount(bars), from + SLICE)), keepAfter);
  }
};

interface ViewOptions {
  readonly symbol: string;
  readonly isPaused: boolean;
  /** True if signals place the orders: there are no rules to explain. */
  readonly takesSignals: boolean;
  /** True if the account takes entries, apart from commands. */
  readonly entries: boolean;
  readonly holds: readonly RecordedCommand[];
}

/** Explains a symbol of a deployment after its last bar, without changing anything. */
export const viewLeg = (
  { stored, sub, series, bars }: StoredLeg,
  { symbol, isPaused, takesSignals, entries, holds }: ViewOptions,
): LegView => {
  if (!stored) return { waits_for: 'waits for the engine to begin' };
  if (!series) return { waits_for: 'waits for its first bar' };
  if (!bars) {
    return { waits_for: 'has more bars to evaluate than one answer takes: ask for this symbol alone' };
  }
  const loaded = loadProgram(stored);
  const { running, at: savedAt } = loaded;
  observeAll(loaded, bars, sub && sub.kind !== 'N' ? sub.at : Number.POSITIVE_INFINITY);
  const { at, frames } = loaded;
  if (running.index === 0) return { waits_for: 'waits for its first bar' };
  const known = { running, at };
  if (!sub || sub.kind === 'N') {
    const paper = newPaper(running.model, symbol, { at: running.model.at, index: running.index });
    const explanation = explain(running, { paper, isPaused });
    return { ...known, explanation, waits_for: waitingText(running, explanation, paper, { isModel: true }) };
  }
  const { paper, isBehind } = accountAt({ running, calendar: loaded.stored.calendar, frames, end: at }, sub, {
    entries,
    holds,
    savedAt,
  });
  const explained = explain(running, { ...(paper && { paper }), isPaused });
  const explanation = takesSignals ? { ...explained, evaluated: true, entries: [], exits: [] } : explained;
  if (!paper) return { ...known, explanation, waits_for: 'waits for its first bar' };
  const waits_for = isBehind
    ? `waits for the engine to book the bars up to ${new Date(at).toISOString()}`
    : waitingText(running, explanation, paper);
  return { ...known, explanation, paper, waits_for };
};
