import {
  isActive,
  restorePaperAccount,
  savePaperAccount,
} from '../../../shared/domain/engine/running/paper-account.ts';
import type { RunningProgram } from '../../../shared/domain/engine/running/running-program.ts';
import { splitPaper } from '../../../shared/domain/engine/running/split-paper.ts';
import type { SeriesSplit } from '../../../shared/domain/splits/split-bars.ts';
import type { Advanced } from '../../../shared/lifecycle/engine-accounts/advance-paper-account.ts';

/** Restates an account after its last bar in old units. Changes nothing; the same account gives the same result. */
export const splitAccount = (running: RunningProgram, moved: Advanced, split: SeriesSplit): Advanced => {
  const { after } = moved;
  const { settings, saved } = after.paper;
  // An account before its first bar has no prices.
  if (saved === '') return { ...moved, changed: true, after: { ...after, split_at: split.at } };
  const paper = restorePaperAccount(settings, saved);
  const reports = splitPaper(paper, running.program.trading, split, split.at);
  return {
    ...moved,
    changed: true,
    reports: reports.map((report) => ({ ...report, at: split.at - 1 })),
    // The close before is for the ledger in old units, which begins the day of the bar.
    close: paper.account.close,
    after: {
      ...after,
      kind: isActive(paper) ? 'A' : 'F',
      split_at: split.at,
      paper: { settings, saved: savePaperAccount(paper) },
    },
  };
};
