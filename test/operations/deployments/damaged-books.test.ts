import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { readState } from '../../../shared/data/backtests/job-state.ts';
import { historyKey } from '../../../shared/data/books/equity-history.ts';
import { outboxWrite } from '../../../shared/data/outbox/outbox.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { deliver } from '../../support/functions/deliveries.ts';
import { runJob } from '../../support/jobs.ts';
import { openHub } from '../../support/open-hub.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployedTrader, reportOrder } from '../../support/trading.ts';

const DAY = 86_400_000;
/** No stream of Deflate, and one that ends before its end. */
const DAMAGES = [
  [1, 7, 7, 7],
  [1, 1, 5, 0, 250, 255, 91],
];

const hub = await openHub(furnishWithInstruments);
const { store, clock } = hub.runtime;

const performanceOf = (user_id: string, id: number) =>
  hub.call('GET /get_deployment_performance', { query: { user_id, deployment_id: String(id) } });

test.each(DAMAGES.map((bytes) => [bytes]))(
  'days of other deployments close although an equity history is damaged',
  async (bytes) => {
    const [damaged, sound] = [await deployedTrader(hub), await deployedTrader(hub)];
    for (const { id } of [damaged, sound]) await reportOrder(hub, id, { client_order_id: 'one' });
    hub.advance(2 * DAY);
    await runJob(hub.runtime, { job: 'close-equity-days' });
    const key = historyKey(damaged.id);
    await store.put({ ...key, entity: 'equity_history', history: Uint8Array.from(bytes) });
    const before = (await performanceOf(sound.user_id, sound.id)).body.equity_curve.length;
    hub.advance(3 * DAY);
    const failed: unknown = await runJob(hub.runtime, { job: 'close-equity-days' }).catch(
      (error: unknown) => error,
    );
    expect((await performanceOf(damaged.user_id, damaged.id)).status).toBe(500);
    expect(failed).toMatchObject({ errors: expect.arrayContaining([expect.any(z.ZodError)]) });
    const { status, body } = await performanceOf(sound.user_id, sound.id);
    expect([status, body.equity_curve.length]).toEqual([200, before + 3]);
    await store.delete(key);
  },
);

test('a message with damaged entries fails as other damaged records do', async () => {
  const entries = {
    deployment_id: 1,
    mode: 'virtual',
    trades: 'all',
    notifications: [],
    channels: [],
  };
  const message = { kind: 'live_entries', user_id: 'a', entries } as const;
  await store.transact([outboxWrite('damaged', message, clock())]);
  hub.log.length = 0;
  await deliver(hub.runtime, 'damaged', 0);
  expect(hub.log.map(({ message, extra }) => [message, extra.reason])).toEqual([
    ['delivery postponed', 'ZodError'],
  ]);
  await store.delete(keys.outbox('damaged'));
});

test.each(DAMAGES.map((bytes) => [bytes]))(
  'a damaged state of a backtest is damage of its item',
  async (bytes) => {
    await store.put({ ...keys.backtestState(7, 0), bytes: Uint8Array.from(bytes) });
    await expect(readState(store, 7, 1)).rejects.toBeInstanceOf(z.ZodError);
  },
);
