import { expect, test } from '@jest/globals';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { takeEvent } from '../../support/functions/execution-events.ts';
import { openHub } from '../../support/open-hub.ts';
import { build, furnishWithInstruments, person } from '../../support/strategies.ts';
import { engineEvent } from '../../support/trading.ts';

const hub = await openHub(furnishWithInstruments);

const deployed = async (): Promise<number> => {
  const { user_id } = await person(hub);
  const { body } = await build(hub, { user_id });
  const query = { keygen: body.keygen };
  return (await hub.call('POST /deploy_notification_strategy', { query, form: {} })).body.deployment_id;
};

const stored = async (id: number) => {
  const [deployment] = await findDeployments(hub.runtime.store, [id]);
  if (deployment?.kind !== 'notification') throw new Error('there is no such deployment');
  return deployment;
};

const signal = (id: number, n: number) =>
  engineEvent(hub, 'Signal Raised', id, { symbol: 'AAPL', side: 'buy', title: `Signal ${n}`, body: 'Now.' });

test('200 repeated signals count once each', async () => {
  const id = await deployed();
  const signals = Array.from({ length: 200 }, (_, n) => signal(id, n));
  for (const event of [...signals, ...signals]) await takeEvent(hub.runtime, event);
  expect(await stored(id)).toMatchObject({ signals_count: 200, unread: { count: 200 } });
});

test('a repeat costs one read, and a new signal no further call', async () => {
  const id = await deployed();
  const event = signal(id, 1);
  hub.takeCalls();
  await takeEvent(hub.runtime, event);
  expect(hub.takeCalls()).toEqual(['BatchGetItem', 'BatchGetItem', 'TransactWriteItems']);
  await takeEvent(hub.runtime, event);
  expect(hub.takeCalls()).toEqual(['BatchGetItem']);
});

test('simultaneous repeats count once', async () => {
  const id = await deployed();
  const event = signal(id, 1);
  await Promise.all(Array.from({ length: 6 }, () => takeEvent(hub.runtime, event)));
  expect((await stored(id)).signals_count).toBe(1);
});

test('a repeat is recognized for 30 days, also if expired items are not removed yet', async () => {
  const id = await deployed();
  const event = signal(id, 1);
  await takeEvent(hub.runtime, event);
  hub.advance(30 * 86_400_000 - 2000);
  await takeEvent(hub.runtime, event);
  expect((await stored(id)).signals_count).toBe(1);
  hub.advance(4000);
  await takeEvent(hub.runtime, event);
  expect((await stored(id)).signals_count).toBe(2);
});
