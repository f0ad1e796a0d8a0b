import { domainToUnicode } from 'node:url';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { readEmail } from '../../../shared/domain/email.ts';
import { soakable } from '../../support/soak.ts';

const long = (length: number) => 'a'.repeat(length);
const domainOf = (length: number) => `${`${long(60)}.`.repeat(5).slice(0, length - 4)}.com`;

test.each([
  ["o'brien+tag@example.com", "o'brien+tag@example.com"],
  ['a.b!c@example.com', 'a.b!c@example.com'],
  ["!#$%&'*+-/=?^_`{|}~@example.com", "!#$%&'*+-/=?^_`{|}~@example.com"],
  [' Ada@EXAMPLE.com ', 'ada@example.com'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
  ['ada@bu\u0308cher.example', 'ada@xn--bcher-kva.example'],
  ['ada@XN--bcher-KVA.example', 'ada@xn--bcher-kva.example'],
  ['ada@例え。テスト', 'ada@xn--r8jz45g.xn--zckzah'],
  ['ada@почта.рф', 'ada@xn--80a1acny.xn--p1ai'],
  ['ada@mail.sub-domain.museum', 'ada@mail.sub-domain.museum'],
  ['1@2.io', '1@2.io'],
  [`${long(64)}@example.com`, `${long(64)}@example.com`],
])('%s is an address', (text, email) => {
  expect(readEmail(text)).toBe(email);
});

test.each([
  ['', 'ada', '@', 'ada@', '@example.com', 'ada@@example.com', 'ada@b@example.com'],
  ['.ada@example.com', 'ada.@example.com', 'a..da@example.com', 'a da@example.com', '"a b"@example.com'],
  ['ada(c)@example.com', 'ada,b@example.com', 'ada<b>@example.com', 'ädä@example.com', 'ada\n@example.com'],
  [
    'ada@localhost',
    'ada@example',
    'ada@.com',
    'ada@example.',
    'ada@example..com',
    'ada@-a.com',
    'ada@a-.com',
  ],
  ['ada@exa_mple.com', 'ada@example.c', 'ada@1.2.3.4', 'ada@[1.2.3.4]', 'ada@0x7f.1', 'ada@example.123'],
  [
    'ada@example.com/path',
    'ada@example.com:25',
    'ada@example.com?q',
    'ada@example.com#f',
    'ada@exa%6dple.com',
  ],
  ['ada@exam\u200bple.com', 'ada@exam\u00adple.com', 'ada@xn--a.com', `ada@${long(64)}.com`],
  [`${long(65)}@example.com`, `${long(64)}@${domainOf(190)}`, `${long(10_000)}@example.com`],
])('%j and the like are none', (...texts) => {
  expect(texts.filter((text) => readEmail(text) !== undefined)).toEqual([]);
});

test('the whole address has at most 254 characters, in ASCII', () => {
  expect(readEmail(`a@${domainOf(252)}`)).toHaveLength(254);
  expect(readEmail(`a@${domainOf(253)}`)).toBeUndefined();
  const unicode = `${long(40)}@${`${long(49)}ü.`.repeat(4)}com`;
  expect(unicode.length).toBeLessThan(254);
  expect(readEmail(unicode)).toBeUndefined();
});

test('both spellings of a domain are one address, and an address is read as itself', () => {
  const label = fc.stringMatching(/^[a-zà-öø-ÿа-яα-ω]{1,12}$/);
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 3 }), (labels) => {
      const email = readEmail(`Ada+x@${labels.join('.')}.example`);
      fc.pre(email !== undefined);
      const [, domain = ''] = (email ?? '').split('@');
      expect(readEmail(email ?? '')).toBe(email);
      expect(readEmail(`ada+x@${domainToUnicode(domain)}`)).toBe(email);
    }),
    { numRuns: soakable(100, 5000) },
  );
});
