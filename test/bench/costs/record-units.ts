import type { Units } from './units.ts';

/** A day of a track record of a listed strategy, by `npm run costs -- --measure`. */
export const RECORD_UNITS = {
  'daily bars': { calls: 13.6, read: 6.7, write: 51.5 },
  'hourly bars': { calls: 14, read: 9.55, write: 73.7 },
  'minute bars': { calls: 14, read: 12.1, write: 90.8 },
} as const satisfies Record<string, Units>;

export type RecordKind = keyof typeof RECORD_UNITS;
