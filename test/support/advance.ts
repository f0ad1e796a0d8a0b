import { advance } from '../../shared/domain/engine/live/advance.ts';
import type { Frames } from '../../shared/domain/engine/live/frames.ts';
import type { PaperAccount } from '../../shared/domain/engine/live/paper-account.ts';
import { paperFills } from '../../shared/domain/engine/live/paper-fills.ts';
import type { RealAccount } from '../../shared/domain/engine/live/real-account.ts';
import { realFills } from '../../shared/domain/engine/live/real-fills.ts';
import type { RunningProgram } from '../../shared/domain/engine/live/running-program.ts';

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
