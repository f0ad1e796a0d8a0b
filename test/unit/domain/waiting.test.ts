import { expect, test } from '@jest/globals';
import { hasSlot, SLOTS } from '../../../functions/events/common/waiting.ts';

type Waiting = Parameters<typeof hasSlot>[1];

/** Lets each account ask as often as it likes. Returns those that wait. */
const crowdOf = (accounts: readonly Waiting[], others: readonly Waiting[] = []): Waiting[] => {
  const waiting = [...others];
  for (let round = 0; round < 5; round += 1) {
    for (const account of accounts) if (hasSlot(waiting, account)) waiting.push(account);
  }
  return waiting;
};

const accountsOf = (count: number, more: (index: number) => Partial<Waiting>): Waiting[] =>
  Array.from({ length: count }, (_, index) => ({ caller: `account ${index}`, ...more(index) }));

test('24 accounts of one network leave most slots to others', () => {
  const crowd = crowdOf(accountsOf(24, () => ({ network: 'one' })));
  expect(crowd.length).toBeLessThanOrEqual(SLOTS / 5);
  expect(hasSlot(crowd, { caller: 'somebody', network: 'another' })).toBe(true);
});

test('accounts whose e-mail is not proven leave most slots to others, from any number of networks', () => {
  const crowd = crowdOf(accountsOf(500, (index) => ({ network: `network ${index}`, unproven: true })));
  expect(crowd.length).toBeLessThanOrEqual(SLOTS / 10);
  expect(hasSlot(crowd, { caller: 'somebody', network: 'network 1' })).toBe(true);
});

test('an account waits twice at most, and all together no more than there are slots', () => {
  expect(crowdOf([{ caller: 'one' }])).toHaveLength(2);
  expect(crowdOf(accountsOf(500, (index) => ({ network: `network ${index}` })))).toHaveLength(SLOTS);
});
