import { expect, test } from '@jest/globals';
import {
  readSwitches,
  switchesIn,
  switchKeys,
  thrownSwitch,
} from '../../../shared/data/switches/switches.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import { openStore } from '../../support/open-store.ts';

const { store } = await openStore();

const OWNER = { user_id: 'ada' };
const AT_BROKER = { ...OWNER, broker_id: 7 };

const held = (key: Key, ...holders: string[]): Item => ({
  ...key,
  entity: 'switch',
  holds: Object.fromEntries(
    holders.map((holder) => [
      holder,
      { at: '2026-01-05T10:00:00.000Z', reason: `of ${holder}`, flatten: false },
    ]),
  ),
  rev: 1,
});

const thrownBy = (scope: { user_id: string; broker_id?: number }, ...items: Item[]) =>
  thrownSwitch(switchesIn(items, scope))?.reason;

const [serviceKey] = switchKeys(OWNER);
if (!serviceKey) throw new Error('no key of the service');

test('a switch that was never thrown lets orders leave, and so does one without a holder', () => {
  expect(thrownBy(AT_BROKER)).toBeUndefined();
  expect(
    thrownBy(AT_BROKER, held(serviceKey), held(keys.brokerSwitch(7)), held(keys.userSwitch('ada'))),
  ).toBe(undefined);
});

test('a switch covers the deployments of its level', () => {
  expect(thrownBy(OWNER, held(serviceKey, 'operator'))).toBe('of operator');
  expect(thrownBy(AT_BROKER, held(keys.brokerSwitch(7), 'broker'))).toBe('of broker');
  expect(thrownBy(OWNER, held(keys.brokerSwitch(7), 'broker'))).toBeUndefined();
  expect(thrownBy({ ...OWNER, broker_id: 8 }, held(keys.brokerSwitch(7), 'broker'))).toBeUndefined();
  expect(thrownBy(OWNER, held(keys.userSwitch('ada'), 'user'))).toBe('of user');
  expect(thrownBy({ user_id: 'bob' }, held(keys.userSwitch('ada'), 'user'))).toBeUndefined();
});

test('a broker that holds the switch of a user covers the deployments at itself only', () => {
  const item = held(keys.userSwitch('ada'), 'broker:7');
  expect(thrownBy(AT_BROKER, item)).toBe('of broker:7');
  expect(thrownBy({ ...OWNER, broker_id: 8 }, item)).toBeUndefined();
  expect(thrownBy(OWNER, item)).toBeUndefined();
});

test('a holder that only a newer version knows stops orders', () => {
  const switches = switchesIn([held(keys.userSwitch('ada'), 'regulator')], OWNER);
  expect(thrownSwitch(switches)).toMatchObject({ level: 'user', by: 'operator' });
});

test('the widest level is named first', () => {
  const items = [held(keys.userSwitch('ada'), 'user'), held(serviceKey, 'operator')];
  expect(thrownSwitch(switchesIn(items, OWNER))).toMatchObject({ level: 'service', by: 'operator' });
});

test('the switches of user, broker and service are read in one consistent call', async () => {
  expect(thrownSwitch(await readSwitches(store, AT_BROKER))).toBeUndefined();
  await store.put(held(keys.brokerSwitch(7), 'broker'));
  expect(thrownSwitch(await readSwitches(store, AT_BROKER))).toEqual({
    level: 'broker',
    by: 'broker',
    broker_id: 7,
    at: '2026-01-05T10:00:00.000Z',
    reason: 'of broker',
    flatten: false,
  });
  expect(switchKeys(AT_BROKER)).toHaveLength(3);
});
