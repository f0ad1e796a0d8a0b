import { type AccountSub, latestDecisions } from '../../shared/data/engine/subscriptions.ts';
import { barCount } from '../../shared/domain/candles/bars.ts';
import { advancePaper } from '../../shared/domain/engine/live/advance-paper.ts';
import type { Frames } from '../../shared/domain/engine/live/frames.ts';
import type { LiveProgram } from '../../shared/domain/engine/live/live-program.ts';
import {
  isActive,
  restorePaperAccount,
  savePaperAccount,
} from '../../shared/domain/engine/live/paper-account.ts';
import type { AccountReport } from '../../shared/domain/engine/live/reports.ts';

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
  /** False if the account only moved on, so that nothing is to be written. */
  readonly changed: boolean;
}

/** Advances a stored account through bars. Changes nothing; the same account and bars give the same result. */
export const advanceAccount = ({ live, frames, end }: Span, sub: AccountSub, entries: boolean): Advanced => {
  const { settings, saved } = sub.paper;
  const paper = restorePaperAccount(settings, saved);
  const reports: AccountReport[] = [];
  const decisions: AccountSub['decisions'] = [];
  let changed = false;
  for (const each of frames) {
    if (each.first + barCount(each.bars) <= paper.index) continue;
    const steps = advancePaper(live, paper, each, { entries });
    reports.push(...steps.reports);
    decisions.push(...steps.decisions);
    changed ||= steps.changed;
  }
  const kind = isActive(paper) ? 'A' : 'F';
  return {
    reports,
    changed: changed || kind !== sub.kind,
    after: {
      ...sub,
      kind,
      at: end,
      paper: { settings, saved: savePaperAccount(paper) },
      decisions: latestDecisions(sub.decisions, decisions),
    },
  };
};
