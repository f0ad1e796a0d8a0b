/** Days of a record below which annual figures say nothing. */
export const SUFFICIENT_DAYS = 90;
