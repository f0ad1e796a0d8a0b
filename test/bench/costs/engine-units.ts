import type { Units } from './units.ts';

/**
 * Measured like those of requests, with 100 programs of a series and 20 accounts in a trade. Parts that happen on every
 * 16th bar (a flush, a saved state) are averages.
 */
export const ENGINE_UNITS = {
  'bar of a series': { calls: 4.88, read: 2.81, write: 2.06 },
  'series, for a watermark': { calls: 0.06, read: 1.22, write: 0 },
  'program, for a bar': { calls: 0.124, read: 0.059, write: 0.125 },
  'program that a container loads': { calls: 0.03, read: 1.02, write: 0 },
  'start of a paper deployment': { calls: 8, read: 16, write: 18 },
  'entry of a paper account': { calls: 14.1, read: 13.4, write: 34.6 },
  'lists after an entry': { calls: 6, read: 6, write: 26 },
  'account in a trade, for a bar': { calls: 0.15, read: 0.403, write: 0 },
  'account in a trade, saved': { calls: 1.16, read: 0.356, write: 6.2 },
  'exit of a paper account': { calls: 8.12, read: 6.37, write: 38.6 },
  'lists after an exit': { calls: 7, read: 10, write: 31 },
  'signal to a deployment': { calls: 7.62, read: 8.87, write: 9.12 },
  'match for scanners': { calls: 2, read: 1, write: 1 },
  'run of a scanner without a match': { calls: 4, read: 11, write: 1 },
  'run of a scanner with ten matches': { calls: 9, read: 17, write: 12 },
} as const satisfies Record<string, Units>;

export type EngineKind = keyof typeof ENGINE_UNITS;
