import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayOfBar, isDayOrLonger } from '../../functions/console/app/format/times.ts';
import { NONE } from '../../functions/console/app/format/values.ts';
import { formatsFor, format as ofUser } from '../../functions/console/app/format.ts';
import { minorDigitsOf } from '../../shared/domain/money.ts';

/** Replaces the many kinds of spaces that locales use. */
const plain = (text: string): string => text.replaceAll(/\s/g, ' ');

const english = formatsFor('en-US', 'America/New_York');
const german = formatsFor('de-DE', 'Europe/Berlin');
const indian = formatsFor('en-IN', 'Asia/Kolkata');
const arabic = formatsFor('ar-EG', 'Africa/Cairo');
const all = [english, german, indian, arabic, formatsFor('fr-CH'), formatsFor('ja-JP')];

describe('amounts', () => {
  test('have the decimals of their currency', () => {
    expect(english.money(1234.5, 'USD')).toBe('$1,234.50');
    expect(english.money(1234.5, 'JPY')).toBe('¥1,235');
    expect(plain(english.money(1.5, 'KWD'))).toBe('KWD 1.500');
    expect(plain(english.money(0.5, 'BTC'))).toBe('0.50 BTC');
    expect(plain(english.money(0.00000012, 'USDT'))).toBe('0.00000012 USDT');
  });

  test('follow the locale', () => {
    expect(plain(german.money(1234567.891, 'EUR'))).toBe('1.234.567,89 €');
    expect(indian.money(1234567.5, 'INR')).toBe('₹12,34,567.50');
    expect(arabic.money(12, 'EGP')).toContain('١٢');
  });

  test('show gains with a sign if asked, and zero without one', () => {
    expect(english.money(12, 'USD', { signed: true })).toBe('+$12.00');
    expect(english.money(-12, 'USD', { signed: true })).toBe('-$12.00');
    expect(english.money(0, 'USD', { signed: true })).toBe('$0.00');
    expect(english.money(-0, 'USD')).toBe('$0.00');
    expect(english.money(-0.001, 'USD', { signed: true })).toBe('$0.00');
  });

  test('are shortened when they are huge, or on axes', () => {
    expect(english.money(999_999_999_999, 'USD')).toBe('$999,999,999,999.00');
    expect(english.money(1.23456e15, 'USD')).toBe('$1234.6T');
    expect(plain(english.money(2e15, 'BTC'))).toBe('2000T BTC');
    expect(english.shortMoney(1_250_000, 'USD')).toBe('$1.25M');
    expect(english.shortMoney(0.5, 'USD')).toBe('$0.50');
    expect(english.shortMoney(-987.654, 'USD')).toBe('-$987.65');
  });

  test('have the decimals that the service rounds to', () => {
    for (const currency of [...Intl.supportedValuesOf('currency'), 'USDT', 'DOGE']) {
      const digits = minorDigitsOf(currency);
      const shown = /[\d.]+\d/.exec(english.money(1 / 3, currency))?.[0] ?? '';
      expect([currency, (shown.split('.')[1] ?? '').length]).toEqual([currency, digits]);
    }
  });
});

describe('figures', () => {
  test('percent points', () => {
    expect(english.percent(12.345)).toBe('12.35%');
    expect(english.percent(-3, { signed: true, digits: 1 })).toBe('-3.0%');
    expect(english.percent(3, { signed: true })).toBe('+3.00%');
    expect(plain(german.percent(1234.5))).toBe('1.234,50 %');
    expect(english.percent(123_456_789)).toBe('123.46M%');
  });

  test('rates, ratios, counts and numbers', () => {
    expect(english.rate(0.0005)).toBe('0.05%');
    expect(english.rate(0.00000125)).toBe('0.000125%');
    expect(english.ratio(1.5)).toBe('1.50');
    expect(english.ratio(-0.001)).toBe('0.00');
    expect(english.ratio(12_345_678)).toBe('12.35M');
    expect(german.count(12345)).toBe('12.345');
    expect(english.number(0.1 + 0.2)).toBe('0.3');
    expect(english.number(20)).toBe('20');
  });

  test('quantities keep up to eight decimals, and the digits of tiny ones', () => {
    expect(english.quantity(1500)).toBe('1,500');
    expect(english.quantity(0.00012345)).toBe('0.00012345');
    expect(english.quantity(1.234e-10)).toBe('0.0000000001234');
    expect(english.quantity(-2, { signed: true })).toBe('-2');
  });

  test('prices have the decimals of the tick', () => {
    expect(english.price(187.5, 0.01)).toBe('187.50');
    expect(english.price(1.08345, 1e-5)).toBe('1.08345');
    expect(english.price(1.08345, 0.25)).toBe('1.08');
    expect(english.price(39_000, 1)).toBe('39,000');
    expect(english.price(1e-7, 1e-8)).toBe('0.00000010');
  });

  test('prices without a tick have about seven digits', () => {
    expect(english.price(187.5)).toBe('187.50');
    expect(english.price(187.253333333)).toBe('187.2533');
    expect(english.price(1.08345)).toBe('1.08345');
    expect(english.price(0.00001234)).toBe('0.00001234');
    expect(english.price(52_340.5, null)).toBe('52,340.50');
    expect(english.price(0)).toBe('0.00');
  });

  test('missing and impossible numbers are never shown as such', () => {
    for (const value of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      for (const format of all) {
        const texts = [
          format.money(value, 'USD'),
          format.shortMoney(value, 'BTC'),
          format.percent(value),
          format.rate(value),
          format.ratio(value),
          format.count(value),
          format.number(value),
          format.quantity(value),
          format.price(value, 0.01),
          format.duration(value),
          format.when(value).text,
          format.age(value, 0),
        ];
        expect(new Set(texts)).toEqual(new Set([NONE]));
      }
    }
  });

  test('every number has a short text without NaN, in every locale', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(
        number,
        fc.constantFrom(...all),
        fc.constantFrom('USD', 'JPY', 'KWD', 'BTC', ''),
        (value, format, currency) => {
          const text = [
            format.money(value, currency, { signed: true }),
            format.shortMoney(value, currency),
            format.percent(value),
            format.rate(value),
            format.ratio(value),
            format.quantity(value),
            format.price(value),
            format.duration(value),
            format.when(value).text,
            format.age(value, 0),
          ].join(' ');
          expect(text).not.toMatch(/NaN|undefined|Infinity|∞/);
        },
      ),
    );
  });
});

describe('times', () => {
  const at = '2026-03-02T03:04:05Z';

  test('are in the zone of the user, with UTC in the title', () => {
    expect(plain(english.when(at).text)).toBe('Mar 1, 2026, 10:04 PM');
    expect(plain(german.when(at, { seconds: true }).text)).toBe('02.03.2026, 04:04:05');
    expect(plain(german.when(at).title)).toBe('02.03.2026, 03:04:05 UTC');
    expect(german.when(Date.parse(at)).iso).toBe('2026-03-02T03:04:05.000Z');
  });

  test('days of bars have no zone', () => {
    // Midnight in London, New York and Tokyo, and the evening on which the day of currencies begins.
    for (const start of [
      '2026-03-02T00:00:00Z',
      '2026-03-02T05:00:00Z',
      '2026-03-01T15:00:00Z',
      '2026-03-01T22:00:00Z',
    ]) {
      expect(english.bar(start, '1d').text).toBe('Mar 2, 2026');
    }
    expect(english.bar('2026-03-02T00:00:00Z', '1w').text).toBe('Mar 2, 2026');
    expect(plain(english.bar('2026-03-02T15:30:00Z', '1h').text)).toBe('Mar 2, 2026, 10:30 AM');
    expect(english.day(at).text).toBe('Mar 1, 2026');
  });

  test('charts know the day of a bar', () => {
    expect(dayOfBar(Date.parse('2026-03-01T15:00:00Z'))).toBe(Date.parse('2026-03-02T00:00:00Z'));
    expect(['1m', '4h', '1d', '1w'].map(isDayOrLonger)).toEqual([false, false, true, true]);
  });

  test('are those of the machine by default', () => {
    const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions();
    expect(ofUser.when(at, { seconds: true })).toEqual(
      formatsFor(locale, timeZone).when(at, { seconds: true }),
    );
  });

  test('months', () => {
    expect(english.month('2024-03')).toBe('March 2024');
    expect(german.month('2024-03')).toBe('März 2024');
    expect(english.month('later')).toBe(NONE);
    expect(german.monthNames()).toHaveLength(12);
    expect(english.monthNames()[11]).toBe('Dec');
  });

  test('missing and wrong times are never shown as such', () => {
    for (const moment of [null, undefined, '', 'soon', 9e15]) {
      expect(english.when(moment)).toEqual({ text: NONE, title: '', iso: '' });
      expect(english.age(moment, 0)).toBe(NONE);
    }
  });

  test('lengths have their two largest units', () => {
    expect(english.duration(0)).toBe('0 sec');
    expect(english.duration(59.7)).toBe('1 min');
    expect(english.duration(3 * 86_400 + 4 * 3600 + 59)).toBe('3 days 4 hr');
    expect(english.duration(86_400 + 59)).toBe('1 day');
    expect(english.duration(400 * 86_400)).toBe('1 yr 35 days');
    // It is part of English sentences.
    expect(german.duration(90)).toBe('1 min 30 sec');
  });

  test('ages count from now, and a clock that is a little fast is no future', () => {
    const now = Date.parse(at);
    expect(english.age(at, now + 12_400)).toBe('12s ago');
    expect(english.age(at, now + 3 * 3600_000)).toBe('3h ago');
    expect(plain(german.age(at, now + 120_000))).toBe('2m ago');
    expect(english.age(at, now - 20_000)).toBe('0s ago');
    expect(english.age(at, now - 3600_000)).toBe('in 1h');
  });
});
