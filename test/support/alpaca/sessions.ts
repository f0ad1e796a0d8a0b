/** Sessions of a market. Times are in milliseconds. */
export interface Sessions {
  readonly isOpen: (at: number) => boolean;
  /** Returns the end of the session of a time, or of the next one. */
  readonly closeAfter: (at: number) => number;
  readonly openAfter: (at: number) => number;
}

const MINUTE_MS = 60_000;
const OPENS = 9 * 60 + 30;
const CLOSES = 16 * 60;

const NEW_YORK = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** Returns the minute of the day in New York, and whether it is a weekday. */
const localOf = (at: number): { readonly minute: number; readonly isWeekday: boolean } => {
  const parts = new Map(NEW_YORK.formatToParts(at).map(({ type, value }) => [type, value]));
  const weekday = parts.get('weekday') ?? '';
  return {
    minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
    isWeekday: weekday !== 'Sat' && weekday !== 'Sun',
  };
};

/** Returns the first minute after a time at which the clock of a weekday in New York is `minute`. */
const nextAt = (at: number, minute: number): number => {
  for (let from = Math.floor(at / MINUTE_MS) * MINUTE_MS; ; ) {
    const local = localOf(from);
    const until = (minute - local.minute + 24 * 60) % (24 * 60) || 24 * 60;
    // The clock may change on the way, so the last steps are counted again.
    const there = from + until * MINUTE_MS;
    const reached = localOf(there);
    if (reached.minute === minute && reached.isWeekday) return there;
    from = reached.minute === minute ? there : there - 2 * 60 * MINUTE_MS;
  }
};

/** Regular sessions of shares of the United States, on all weekdays. */
export const NEW_YORK_SESSIONS: Sessions = {
  isOpen: (at) => {
    const { minute, isWeekday } = localOf(at);
    return isWeekday && minute >= OPENS && minute < CLOSES;
  },
  closeAfter: (at) => nextAt(at, CLOSES),
  openAfter: (at) => nextAt(at, OPENS),
};

/** A market that is always open, and whose days never end. */
export const ALWAYS_OPEN: Sessions = {
  isOpen: () => true,
  closeAfter: () => Number.POSITIVE_INFINITY,
  openAfter: (at) => at,
};
