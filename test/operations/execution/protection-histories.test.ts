import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type FakeAlpaca, fakeAlpaca } from '../../support/alpaca.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { startKms } from '../../support/kms.ts';
import { RealAccount } from '../../support/protection/account.ts';
import { type History, histories } from '../../support/protection/steps.ts';
import { soakable } from '../../support/soak.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';

const RUNS = soakable(3, 60);
const STEPS = soakable(24, 40);
/** Time for the search of a smaller history after a failure, in milliseconds. */
const SEARCH_MS = soakable(200_000, 1_500_000);

const environment = { ...process.env };
let alpaca: FakeAlpaca;
let hub: TestHub;
let kms: Awaited<ReturnType<typeof startKms>>;

beforeAll(async () => {
  kms = await startKms();
  const plain = await startHub();
  alpaca = await fakeAlpaca(plain.runtime.clock);
  hub = plain.with(alpaca.environment);
  await furnishWithInstruments(hub, ['AAPL', 'BTCUSD']);
});
afterAll(async () => {
  process.env = environment;
  await hub.close();
  await kms.close();
  await alpaca.close();
});

/** Returns what is not as it must be in a history. */
const faultsOf = async ({ steps, ...setting }: History): Promise<string[]> => {
  const account = await RealAccount.open({ hub, alpaca }, setting);
  const { faults } = account;
  for (const step of steps) {
    await account.take(step);
    const isDue = step.kind === 'run' && account.isCalm;
    if (isDue) faults.push(...(await account.unprotected()).map((fault) => `after a run: ${fault}`));
    if (faults.length > 0) break;
  }
  if (faults.length === 0) {
    await account.settle();
    faults.push(...(await account.unprotected()));
  }
  await account.close();
  return faults;
};

const hold = (kinds: Parameters<typeof histories>[0]): Promise<void> =>
  fc.assert(
    fc.asyncProperty(histories(kinds, STEPS), async (history) => {
      expect(await faultsOf(history)).toEqual([]);
    }),
    { numRuns: RUNS, unbiased: true, interruptAfterTimeLimit: SEARCH_MS },
  );

test('a stop at the broker covers each position from the next run on, and no order closes more', () =>
  hold({}));

test('lost answers and deaths double no order, and leave no position without its stop and its books', () =>
  hold({ withTrouble: true }));

test('an owner who trades by hand finds the position protected, or the deployment halted', () =>
  hold({ withTrouble: true, withHands: true }));

test('what a close leaves keeps its stop while the close waits for the open', async () => {
  const steps: History['steps'] = [
    { kind: 'enter', side: 'sell', type: 'market', quantity: 10, hasTarget: false },
    { kind: 'pass', minutes: 1200 },
    { kind: 'exit', portion: 0.5, flatten: false },
  ];
  expect(await faultsOf({ symbol: 'AAPL', checksAvailability: true, steps })).toEqual([]);
});

test('a stop that was moved beyond the target rests alone', async () => {
  const steps: History['steps'] = [
    { kind: 'enter', side: 'buy', type: 'market', quantity: 7, hasTarget: true },
    { kind: 'trouble', troubles: ['failed', 'failed', 'failed', 'failed', 'failed', 'failed'] },
    { kind: 'price', percent: 13 },
    { kind: 'move', percent: 2 },
  ];
  expect(await faultsOf({ symbol: 'AAPL', checksAvailability: true, steps })).toEqual([]);
});
