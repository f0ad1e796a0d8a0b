import { advance } from '../../shared/domain/engine/live/advance.ts';
import { liveFills } from '../../shared/domain/engine/live/advance-live.ts';
import { paperFills } from '../../shared/domain/engine/live/advance-paper.ts';
import type { Frames } from '../../shared/domain/engine/live/frames.ts';
import type { LiveAccount } from '../../shared/domain/engine/live/live-account.ts';
import type { LiveProgram } from '../../shared/domain/engine/live/live-program.ts';
import type { PaperAccount } from '../../shared/domain/engine/live/paper-account.ts';

/** Advances an account on paper through frames. */
export const advancePaper = (
  live: LiveProgram,
  paper: PaperAccount,
  frames: Frames,
  options: Parameters<typeof paperFills>[2] = {},
) => {
  const fills = paperFills(live, paper, options);
  const steps = advance(live, fills, frames);
  return { ...steps, reports: fills.reports };
};

/** Advances an account with real orders through frames. */
export const advanceLive = (
  live: LiveProgram,
  own: LiveAccount,
  frames: Frames,
  options: Parameters<typeof liveFills>[2],
) => {
  const fills = liveFills(live, own, options);
  const steps = advance(live, fills, frames);
  return { ...steps, requests: fills.requests };
};
