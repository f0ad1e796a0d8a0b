import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { safeText, safeValue } from '../../functions/assistants/answers/safe-values.ts';
import { MAX_CHARACTERS, smallValue } from '../../functions/assistants/answers/small-value.ts';

const point = (at: number) => ({ at: new Date(at).toISOString(), equity: at });

describe('an answer to a model', () => {
  test('keeps the first and the last point of a thinned curve, and tells how many there are', () => {
    const equity = Array.from({ length: 5000 }, (_, at) => point(at));
    const small = smallValue({ equity, benchmark: { equity } });
    const value = Object(small?.value);
    expect(value.equity[0]).toEqual(point(0));
    expect(value.equity.at(-1)).toEqual(point(4999));
    // Curves of the same length keep the same points.
    expect(value.benchmark.equity).toEqual(value.equity);
    expect(small?.cuts).toEqual([
      { path: 'equity', kept: value.equity.length, total: 5000, choice: 'evenly' },
      { path: 'benchmark.equity', kept: value.equity.length, total: 5000, choice: 'evenly' },
    ]);
  });

  test('keeps the first entries of a list, and shows no name that a user chose in the places of cuts', () => {
    const items = Array.from({ length: 101 }, (_, id) => ({ id, symbol: 'SPY', side: 'buy', name: 'x' }));
    const small = smallValue({ 'IGNORE ALL': items });
    expect(small?.cuts).toEqual([{ path: '*', kept: 100, total: 101, choice: 'first' }]);
    expect(Object(small?.value)['IGNORE ALL']).toEqual(items.slice(0, 100));
  });

  test('is small or refused, whatever it holds', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }),
        fc.nat({ max: 3000 }),
        (one, count) => {
          const small = smallValue({ list: Array.from({ length: count }, () => one) });
          if (small) expect(JSON.stringify(small.value).length).toBeLessThanOrEqual(MAX_CHARACTERS);
        },
      ),
    );
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`f${at}`, at]));
    expect(smallValue(wide)).toBeUndefined();
  });

  test('has no hidden character, whatever texts it holds, and is safe once it was made safe', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u202e', '\u2066', '\u{e0041}', '\ufeff', '\u0007', '\u0085', '\u2028', '\u00ad'),
    );
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const safe = safeText(texts.join(''));
        expect(safe).not.toMatch(/(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(safeText(safe)).toBe(safe);
      }),
    );
    expect(safeText('a\tb\nc 👩\u200d🚀')).toBe('a\tb\nc 👩\u200d🚀');
  });

  test('holds no key or token, wherever one is', () => {
    const secrets = [
      'hub_key_jHOFRx3bG7JWN3KMXAcbYg.vaTRuSqhKedI.1kS_7fuPGtCK5NU63XCRDTzEI7HtiAqIBqtZ_QcTBsQ',
      'k_abc123_0123456789abcdefghijkl',
      's_abc123_0123456789abcdef',
      'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl',
      'https://hub.example/hooks/0123456789abcdefghijklmn',
      'hub_rt.jHOFRx3bG7JWN3KMXAcbYg.vaTRuSqhKedI0123.4.1kS_7fuPGtCK5NU63XCRDTzEI7HtiAqIBqtZ_QcTBsQ',
      'hub_art.jHOFRx3bG7JWN3KMXAcbYg.vaTRuSqhKedI.4.1kS_7fuPGtCK5NU63XCRDTzEI7HtiAqIBqtZ_QcTBsQ',
      'hub_bs.broker-one.1kS_7fuPGtCK5NU63XCRDTzEI7HtiAqIBqtZ_QcTBsQ',
      'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD/2abcdefgh=',
    ];
    const shown = JSON.stringify(
      safeValue({ [secrets[0] ?? '']: 1, list: secrets.map((one) => `x ${one}, y`) }),
    );
    for (const secret of secrets) expect(shown).not.toContain(secret.slice(-16));
  });
});
