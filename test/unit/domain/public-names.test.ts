import { describe, expect, test } from '@jest/globals';
import { readCatalogue } from '../../../infra/catalogue/load.ts';
import { skeletonOf } from '../../../shared/domain/confusables.ts';
import { ownName, publicName } from '../../../shared/domain/public-names.ts';

const own = ownName({ max: 100 });
const shown = publicName({ max: 100 });
const refused = (schema: typeof own, texts: readonly string[]): string[] =>
  texts.filter((text) => !schema.safeParse(text).success);

const FINE = [
  ...[
    'Ada Lovelace',
    "Miles O'Brien",
    'José Ñandú',
    'Łukasz Żółć',
    'Đặng Văn Lâm',
    'Ø. Åström',
    'İpek Yıldız',
  ],
  ...[
    'Иван Петров',
    'Γιώργος Παπαδόπουλος',
    'Արամ Խաչատրյան',
    'אבי כהן',
    'محمد علي',
    'علی\u200cرضا',
    '李小龍',
  ],
  ...['山田たろう', 'AI株式ファンド', '김민준 Kim', 'क्\u200dष', 'สมชาย ใจดี', 'Иван Smith', 'Москва', 'Сорос'],
  ...[
    'EMA 10/30 ❤️',
    '🚀 Moon 👩‍💻',
    'β-neutral',
    'Δ hedge',
    'Support and Resistance',
    'Account 7',
    'Team Rocket',
    'Trading System 24',
    'C & A',
    'Trend é',
    '½ Kelly',
    'Стратегия с RSI',
    'RSI с MACD',
    'Выход по RSI со стопом',
    'Роса на BTC',
    'Στρατηγική με το RSI',
    'Plan 1️⃣ #️⃣',
    'র\u200d্যালি',
  ],
];

test('names in any one script, of several words, and emoji are fine', () => {
  expect(refused(own, FINE)).toEqual([]);
});

describe('a name is refused', () => {
  test.each([
    [
      'with characters of no width',
      [
        'Ada\u200b',
        'A\u200dda',
        'A\u2060da',
        'A\u00adda',
        'A\ufeffda',
        'Ada\u2800',
        'A\u115fda',
        'A\u{e0041}da',
      ],
    ],
    ['with marks of direction', ['Ada\u200f', 'Ada\u061c', 'A\u202eda', 'A\u2066da', '\u200eAda']],
    ['that mixes scripts in a word', ['Аda', 'Harbоur Brokers', 'Gοogle', 'Ρaypal', 'PayPаl', 'Ꭺda', 'Ադa']],
    ['with a word that only looks Latin', ['Harbour Со', 'ΑΒΒ Trading', 'Ѕоре Fund', 'Harbour Со с']],
    ['of styled letters', ['𝐀da', '𝓢upport', 'Ⓢupport', '🄰da']],
    [
      'of the platform',
      [
        'Strategy Hub',
        'strategy-hub',
        'STRATEGYHUB Team',
        'Stratégy Hùb',
        'Strategy Hυb',
        '5trategy Hub',
        'Strɑtegy  Hub',
        'Official Strategy_Hub',
        'Strat\u212egy Hub',
      ],
    ],
  ])('%s', (_why, texts) => {
    expect(refused(shown, texts)).toEqual(texts);
  });

  test('if a user or a broker takes one that is reserved, in any spelling', () => {
    const taken = [
      'Support',
      'support ',
      'SUPPORT',
      'S u p p o r t',
      'Süpport',
      'Supp0rt',
      'Suppoɾt',
      'Suppoгt',
      'Adm1n',
      'ADMlN',
      'Partner\u00a0A',
      'partner-b',
      'Paper  Broker',
      'Admin Team',
      'Official Support',
      'Hub Support',
      'Account Security',
      'The Support Desk',
    ];
    expect(refused(own, taken)).toEqual(taken);
    expect(refused(shown, ['Support', 'Partner A'])).toEqual([]);
  });

  test('if a user or a broker takes one that holds an e-mail address', () => {
    const taken = ['ada@example.com', 'Ada ada.l@mail.example.com', 'ada＠example．com'];
    expect(refused(own, taken)).toEqual(taken);
    expect(refused(own, ['A@la', 'Ada @ Work', 'ada @example.com'])).toEqual([]);
  });

  test('if it is that of a broker of the catalogue', () => {
    const names = readCatalogue().brokers.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(refused(own, names)).toEqual(names);
  });
});

test('skeletons are equal for texts that look alike', () => {
  expect(new Set(['Paypal', 'PAYPAL', 'Раураl', 'pay pa1', 'Pàypaĺ', 'Ρaypal'].map(skeletonOf)).size).toBe(1);
  expect(skeletonOf('Modern')).toBe(skeletonOf('Modem'));
  expect(skeletonOf('Ada')).not.toBe(skeletonOf('Eda'));
});
