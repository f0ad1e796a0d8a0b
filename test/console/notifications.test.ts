import { expect, test } from '@jest/globals';
import { severityText } from '../../functions/console/app/notifications/words.ts';
import {
  addressOf,
  isFiltered,
  KINDS,
  requestOf,
  viewOf,
} from '../../functions/console/app/screens/notifications/view.ts';
import { NOTIFICATION_KINDS } from '../../shared/data/deployments/notification.ts';

const viewAt = (query: string) => viewOf(new URLSearchParams(query));

test('a choice of notifications survives its address', () => {
  for (const query of ['', 'unread=yes', 'kind=kill_switch&symbol=AAPL&deployment=7&from=12&page=3']) {
    const address = addressOf(viewAt(query));
    expect(address).toBe(query === '' ? '/notifications' : `/notifications?${query}`);
  }
});

test('a mistyped address shows all notifications', () => {
  expect(viewAt('page=-1&deployment=x&from=1.5&unread=maybe')).toEqual(viewAt(''));
  expect(isFiltered(viewAt(''))).toBe(false);
  expect(isFiltered(viewAt('deployment=7'))).toBe(true);
});

test('a request names only what was chosen', () => {
  expect(requestOf(viewAt(''))).toEqual({ page: 1, size: 50 });
  expect(requestOf(viewAt('unread=yes&symbol=%20aapl&kind=kill_switch&deployment=7&from=12'))).toEqual({
    page: 1,
    size: 50,
    unread: true,
    kind: 'kill_switch',
    symbol: 'AAPL',
    deployment_id: 7,
    cursor: 12,
  });
});

test('every kind of notification has words', () => {
  const named = KINDS.map(([kind]) => kind);
  expect(NOTIFICATION_KINDS.filter((kind) => kind !== 'other' && !named.includes(kind))).toEqual([]);
  expect(['info', 'success', 'warning', 'error'].map((severity) => severityText(severity).text)).toEqual([
    'Info',
    'Good',
    'Warning',
    'Problem',
  ]);
});
