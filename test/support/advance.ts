import { advance } from '../../shared/domain/engine/running/advance.ts';
import type { Frames } from '../../shared/domain/engine/running/frames.ts';
import type { PaperAccount } from '../../shared/domain/engine/running/paper-account.ts';
import { paperFills } from '../../shared/domain/engine/running/paper-fills.ts';
import type { RealAccount } from '../../shared/domain/engine/running/real-account.ts';
import { realFills } from '../../shared/domain/engine/running/real-fills.ts';
import type { RunningProgram } from '../../shared/domain/engine/running/running-program.ts';

/** Advances an account on paper through frames. */
export const advancePaper = (
  live: RunningProgram,
  paper: PaperAccount,
  frames: Frames,
  options: Parameters<typeof paperFills>[2] = {},
) => {
  const fills = paperFills(live, paper, options);
  const steps = advance(live, fills, frames);
  return { ...steps, reports: fills.reports };
};

/** Advances an account with real orders through frames. */
export const advanceReal = (
  live: RunningProgram,
  own: RealAccount,
  frames: Frames,
  options: Parameters<typeof realFills>[2],
) => {
  const fills = realFills(live, own, options);
  const steps = advance(live, fills, frames);
  return { ...steps, requests: fills.requests };
};
