import { expect, test } from '@jest/globals';
import { anchorOf, anchorText, baseCalendarId } from '../../../../shared/domain/candles/anchor.ts';
import { calendarIdOf, findCalendar } from '../../../../shared/domain/candles/calendar.ts';
import { sourcesOf } from '../../../../shared/domain/candles/timeframes.ts';

test.each([
  ['NASDAQ', 'equity', 'us'],
  ['CBOE', 'index', 'us'],
  ['OTC', 'forex', 'forex'],
  ['COMEX', 'commodity', 'cfd'],
  ['OTC', 'crypto', 'always'],
  ['XETRA', 'equity', 'weekdays:Europe/Berlin'],
  ['constructor', 'equity', 'weekdays:UTC'],
] as const)('an instrument of %s and the class %s has the calendar %s', (exchange, asset_class, id) => {
  expect(calendarIdOf({ exchange, asset_class })).toBe(id);
  expect(findCalendar(id)?.id).toBe(id);
});

test.each([
  ['us@09:30', '09:30', 'session (09:30)'],
  ['weekdays:Asia/Kolkata@09:15', '09:15', 'session (09:15)'],
  ['weekdays:Asia/Kolkata', undefined, 'clock'],
  ['always', undefined, 'clock'],
] as const)('the bars of the calendar %s start with the opening %s', (id, opening, text) => {
  expect(findCalendar(id)?.id).toBe(id);
  expect(anchorOf(id)).toEqual({ anchor: opening === undefined ? 'clock' : 'session', opening });
  expect(anchorText(id)).toBe(text);
  expect(findCalendar(baseCalendarId(id))?.timeZone).toBe(findCalendar(id)?.timeZone);
});

test.each([
  '',
  'nyse',
  'constructor',
  'weekdays:',
  'weekdays:Mars/Olympus',
  // Sessions of the United States open at 09:30, and these markets have no opening.
  'us@10:00',
  'always@09:30',
  'forex@17:00',
  'cfd@18:00',
  'weekdays:Asia/Kolkata@00:00',
  'weekdays:Asia/Kolkata@24:00',
  'weekdays:Asia/Kolkata@9:15',
  'weekdays:Asia/Kolkata@09:17',
  'weekdays:Asia/Kolkata@09:15@09:15',
  'us@',
])('%j is no calendar', (id) => {
  expect(findCalendar(id)).toBeUndefined();
});

test('bars are derived from timeframes that divide theirs', () => {
  expect(sourcesOf('5m')).toEqual(['1m']);
  expect(sourcesOf('15m')).toEqual(['5m', '3m', '1m']);
  expect(sourcesOf('4h')).toEqual(['1h', '30m', '15m', '5m', '3m', '1m']);
  expect(sourcesOf('1w')).toEqual(['1d', '4h', '1h', '30m', '15m', '5m', '3m', '1m']);
  expect(sourcesOf('1m')).toEqual([]);
});
