import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { importBars } from '../../../shared/data/candles/import-bars.ts';
import { takeJobEvents } from '../../support/backtest-jobs.ts';
import { runBacktest } from '../../support/backtests.ts';
import { DAILY, sessionBars } from '../../support/candles.ts';
import { eventsOf, listen, waitingChanges } from '../../support/changes.ts';
import { takeJobEvent } from '../../support/functions/backtest-jobs.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { furnishWithInstruments, person } from '../../support/strategies.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub);
  await importBars(hub.runtime.store, DAILY, sessionBars('2010-01-04', 1000));
});
afterAll(() => hub.close());

const run = async (user_id: string): Promise<number> => {
  const { status, body } = await runBacktest(hub, user_id, { from: '2011-01-01' });
  expect(status).toBe(200);
  for (const event of await takeJobEvents(hub)) await takeJobEvent(hub.runtime, event, () => 60_000);
  return body.backtest_id;
};

test('the end of a backtest is an event of an owner who listened when it was requested', async () => {
  const { user_id } = await person(hub);
  await run(user_id);
  expect(await waitingChanges(hub)).toEqual([]);
  await listen(hub, { user_id });
  const backtest_id = await run(user_id);
  const events = await eventsOf(hub, user_id);
  expect(events).toMatchObject([
    { type: 'backtest.done', data: { backtest_id, status: 'done', error: null } },
  ]);
  expect(events[0]).not.toHaveProperty('deployment_id');
});
