/** Origins of the grid of bars of minutes and hours: local midnight, or the regular opening of the session. */
export const ANCHORS = ['clock', 'session'] as const;
export type Anchor = (typeof ANCHORS)[number];

const MARK = '@';
/** Matches a multiple of five minutes, such as 09:15. A session that opens at midnight begins with the clock. */
const OPENING = /^(?!00:00)(?:[01]\d|2[0-3]):[0-5][05]$/;

/** Returns whether a text is the local time at which a session may open. */
export const isOpening = (text: string): boolean => OPENING.test(text);

/** Returns the id of the calendar with the same days and sessions whose bars start with the clock. */
export const baseCalendarId = (id: string): string => id.split(MARK, 1)[0] ?? id;

/** Returns the id of the calendar with the same days and sessions whose bars start with the session. */
export const anchoredCalendarId = (id: string, opening: string): string =>
  `${baseCalendarId(id)}${MARK}${opening}`;

/** Anchor of a calendar, and the local time at which its sessions regularly open. */
export interface CalendarAnchor {
  readonly anchor: Anchor;
  /** undefined for `clock`. */
  readonly opening: string | undefined;
}

/** Returns the anchor that the id of a calendar names. */
export const anchorOf = (calendarId: string): CalendarAnchor => {
  const base = baseCalendarId(calendarId);
  return base === calendarId
    ? { anchor: 'clock', opening: undefined }
    : { anchor: 'session', opening: calendarId.slice(base.length + MARK.length) };
};

/** Describes the anchor of a calendar. */
export const anchorText = (calendarId: string): string => {
  const { anchor, opening } = anchorOf(calendarId);
  return opening === undefined ? anchor : `${anchor} (${opening})`;
};
