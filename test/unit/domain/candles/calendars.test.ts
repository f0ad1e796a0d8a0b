import { expect, test } from '@jest/globals';
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

test.each(['', 'nyse', 'constructor', 'weekdays:', 'weekdays:Mars/Olympus'])('%j is no calendar', (id) => {
  expect(findCalendar(id)).toBeUndefined();
});

test('bars are derived from timeframes that divide theirs', () => {
  expect(sourcesOf('5m')).toEqual(['1m']);
  expect(sourcesOf('15m')).toEqual(['5m', '3m', '1m']);
  expect(sourcesOf('4h')).toEqual(['1h', '30m', '15m', '5m', '3m', '1m']);
  expect(sourcesOf('1w')).toEqual(['1d', '4h', '1h', '30m', '15m', '5m', '3m', '1m']);
  expect(sourcesOf('1m')).toEqual([]);
});
