import { expect, test } from '@jest/globals';
import { isSameBrowser, supportText } from '../../functions/console/app/screens/settings/push-texts.ts';
import { placeOf, shownOf } from '../../functions/console/worker/shown.ts';

const MESSAGE = {
  title: '<b>Buy</b> AAPL',
  body: 'It crossed.',
  tag: 't-1',
  data: { kind: 'signal_buy', deployment_id: '373384390672384' },
};

test('a push message is shown as text and opens its deployment', () => {
  expect(shownOf(JSON.stringify(MESSAGE))).toEqual({
    title: '<b>Buy</b> AAPL',
    body: 'It crossed.',
    tag: 't-1',
    place: '/deployments/373384390672384',
  });
});

test('a message without a deployment opens the notifications, and no other place', () => {
  for (const id of [undefined, 7, '', '../settings', '1/../2', '1?x=y', '1'.repeat(17)]) {
    expect(placeOf({ deployment_id: id })).toBe('/notifications');
  }
  expect(placeOf(null)).toBe('/notifications');
});

test('a message that cannot be read still shows something', () => {
  for (const text of ['', 'no json', '[]', '7', 'null', '{"title":{},"body":7}']) {
    expect(shownOf(text)).toEqual({
      title: 'Strategy Hub',
      body: 'There is a new notification.',
      tag: 'notification',
      place: '/notifications',
    });
  }
});

test('a browser is found among the devices by its endpoint', () => {
  const key = (endpoint: string, more = {}) => JSON.stringify({ endpoint, ...more });
  expect(isSameBrowser(key('https://a.example/1', { keys: {} }), key('https://a.example/1'))).toBe(true);
  expect(isSameBrowser(key('https://a.example/1'), key('https://a.example/2'))).toBe(false);
  expect(isSameBrowser('a-firebase-token', key('https://a.example/1'))).toBe(false);
  expect(isSameBrowser('a-firebase-token', 'another')).toBe(false);
  expect(isSameBrowser(key('https://a.example/1'), undefined)).toBe(false);
});

test('a browser that cannot have push messages says why', () => {
  expect(supportText('possible')).toBeUndefined();
  expect(supportText('insecure')).toContain('https');
  expect(supportText('denied')).toContain('Allow');
  expect(supportText('unsupported')).toContain('Chrome');
});
