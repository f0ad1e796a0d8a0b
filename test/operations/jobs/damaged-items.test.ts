import { expect, test } from '@jest/globals';
import { EXPIRY_KIND } from '../../../shared/data/deployments/deployments.ts';
import { findHalt, newHaltWrite } from '../../../shared/data/switches/halts.ts';
import { runJob } from '../../support/jobs.ts';
import { openHub } from '../../support/open-hub.ts';

const hub = await openHub();
const { store, clock } = hub.runtime;

const damage = (name: string, due_kind: string, due_at = clock().getTime() - 1) =>
  store.put({ pk: `DAMAGED#${name}`, sk: 'A', entity: 'damaged', due_kind, due_at });

const repair = (name: string) => store.transact([{ delete: { pk: `DAMAGED#${name}`, sk: 'A' } }]);

const leavesOf = (error: unknown): unknown[] =>
  error instanceof AggregateError ? error.errors.flatMap(leavesOf) : [error];

/** Returns the errors of a run. */
const errorsOf = (job: string): Promise<unknown[]> =>
  runJob(hub.runtime, { job }).then(
    () => [],
    (error: unknown) => leavesOf(error),
  );

test.each([
  ['expire-deployments', EXPIRY_KIND],
  ['sweep-backtests', 'backtest_job'],
  ['sweep-backtests', 'sweep_job'],
  ['delete-accounts', 'account_deletion'],
  ['halt-deployments', 'halt'],
  ['refresh-partner-tokens', 'partnerc'],
  ['attend-webhooks', 'webhook_endpoint'],
  ['compare-accounts', 'execution_connection'],
  ['follow-orders', 'execution_order'],
  ['sweep-deliveries', 'delivery'],
  ['sweep-bulk', 'delivery_bulk'],
  ['sweep-changes', 'delivery_change'],
  ['sweep-orders', 'delivery_order'],
  ['sweep-pushes', 'delivery_push'],
  ['sweep-events', 'delivery_event'],
  ['sweep-webhooks', 'delivery_webhook'],
])('%s reports an item that cannot be read, once in five minutes: %s', async (job, kind) => {
  const damaged = expect.objectContaining({
    name: 'DamagedItemError',
    message: expect.stringMatching(
      new RegExp(`^a due item of the kind ${kind} cannot be read, and is put off to \\d+: .*field required`),
    ),
  });
  await damage(kind, kind);
  expect(await errorsOf(job)).toEqual([damaged]);
  expect(await errorsOf(job)).toEqual([]);
  hub.advance(5 * 60_000);
  expect(await errorsOf(job)).toEqual([damaged]);
  await repair(kind);
});

test('a page of items that cannot be read does not hold up those behind it', async () => {
  const from = clock().getTime();
  for (let n = 0; n < 120; n++) await damage(`halt-${n}`, 'halt', from - 1000 + n);
  const subject = { level: 'user', user_id: 'u' } as const;
  const thrown = { subject, actor: { by: 'user' }, reason: 'Enough.', flatten: false } as const;
  for (const throw_id of ['first', 'second']) {
    await store.transact([newHaltWrite({ ...thrown, throw_id, at: clock().toISOString() }, clock())]);
  }
  hub.advance(120_000);
  expect(await errorsOf('halt-deployments')).toHaveLength(120);
  for (const throw_id of ['first', 'second']) {
    expect(await findHalt(store, throw_id)).toMatchObject({ finished_at: expect.any(String) });
  }
});
