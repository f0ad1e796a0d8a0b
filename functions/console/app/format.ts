import { numberFormats } from './format/numbers.ts';
import { timeFormats } from './format/times.ts';
import { numberWriter } from './format/values.ts';

/** Makes the functions that write numbers and times for a locale and a time zone; those of the user by default. */
export const formatsFor = (locale?: string, timeZone?: string) => {
  const write = numberWriter(locale);
  return { ...numberFormats(write), ...timeFormats(locale, timeZone) };
};

/** Functions that write numbers and times for the user. A missing or impossible value is written as `–`. */
export const format = formatsFor();
