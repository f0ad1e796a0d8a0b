import type { CalendarDay } from './calendar.ts';

/**
 * Returns the number on a day's grid of the first bar that starts at or after a moment. The bar that contains the
 * beginning of the day starts with the day.
 */
export const slotFrom = ({ start, grid }: CalendarDay, length: number, at: number): number =>
  at <= start ? Math.floor((start - grid) / length) : Math.ceil((at - grid) / length);

/** Returns the start of the bar of a day's grid that contains a moment. No bar begins on the day before. */
export const slotStart = ({ start, grid }: CalendarDay, length: number, at: number): number =>
  Math.max(start, grid + Math.floor((at - grid) / length) * length);

/** Returns the end of the bar of a day's grid that contains a moment. No bar ends on the next day. */
export const slotEnd = ({ end, grid }: CalendarDay, length: number, at: number): number =>
  Math.min(end, grid + (Math.floor((at - grid) / length) + 1) * length);
