import { expect, test } from '@jest/globals';
import { inPage, placeOf, type Route } from '../../functions/console/app/router.ts';

const load = (): never => {
  throw new Error('no screen is loaded here');
};
const ROUTES: readonly Route[] = [
  { path: '/', load },
  { path: '/strategies', load },
  { path: '/strategies/:id/build', load },
  { path: '/strategies/:id', load },
];

const at = (hash: string) => {
  const { route, params, query } = placeOf(hash, ROUTES);
  return [route?.path, params, [...query]];
};

test('an address leads to its screen with its parameters', () => {
  expect(at('#/strategies')).toEqual(['/strategies', {}, []]);
  expect(at('#/strategies/7')).toEqual(['/strategies/:id', { id: '7' }, []]);
  expect(at('#/strategies/7/build?step=2&q=a%20b')).toEqual([
    '/strategies/:id/build',
    { id: '7' },
    [
      ['step', '2'],
      ['q', 'a b'],
    ],
  ]);
  expect(at('#/strategies/a%2Fb')).toEqual(['/strategies/:id', { id: 'a/b' }, []]);
});

test('no address is the start', () => {
  expect(at('')).toEqual(['/', {}, []]);
  expect(at('#')).toEqual(['/', {}, []]);
});

test('an unknown or broken address has no screen', () => {
  for (const hash of [
    '#/nowhere',
    '#/strategies/',
    '#/strategies/7/8',
    '#/strategies/%E0%A4%A',
    '#strategies',
  ]) {
    expect(at(hash)[0]).toBeUndefined();
  }
});

test('an address from a link stays in the page', () => {
  expect(inPage('/deployments/7?tab=orders')).toBe('/deployments/7?tab=orders');
  expect(inPage('//evil.example')).toBe('/evil.example');
  expect(inPage('https://evil.example')).toBe('/https://evil.example');
});
