import { at } from '../memory.ts';
import { EVALUATED } from '../observation.ts';
import type { Frames } from './frames.ts';
import type { RunningProgram } from './running-program.ts';

/**
 * Returns the side of the first entry whose condition holds at a bar for an account that has never traded; undefined if
 * none does. Conditions that count bars of an account do not hold.
 */
export const holdingSide = (
  { program: { trading } }: RunningProgram,
  frames: Frames,
  position: number,
): 'long' | 'short' | undefined => {
  const observation = frames.observations[position];
  if (!observation || at(observation, EVALUATED) !== 1) return undefined;
  const runs = new Float64Array(trading.runs.length);
  const entry = trading.entries.find(({ signal }) => signal(observation, undefined, 0, runs));
  return entry && (entry.side === 1 ? 'long' : 'short');
};
