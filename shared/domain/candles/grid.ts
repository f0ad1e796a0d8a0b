import type { CalendarDay } from './calendar.ts';

/** Returns the start of the bar of a day's grid that contains a moment. No bar begins on the day before. */
export const slotStart = ({ start, grid }: CalendarDay, length: number, at: number): number =>
  Math.max(start, grid + Math.floor((at - grid) / length) * length);

/** Returns the end of the bar of a day's grid that contains a moment. No bar ends on the next day. */
export const slotEnd = ({ end, grid }: CalendarDay, length: number, at: number): number =>
  Math.min(end, grid + (Math.floor((at - grid) / length) + 1) * length);
