import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { reviveDeadLetter } from '../../../shared/data/outbox/dead-letters.ts';
import { postponeDelivery, takeDelivery } from '../../../shared/data/outbox/deliveries.ts';
import { dueKind, LANES } from '../../../shared/data/outbox/lanes.ts';
import { putInOutbox } from '../../../shared/data/outbox/outbox.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { deliverRecords } from '../../../shared/deliveries/batch.ts';
import { deliverBulk } from '../../support/functions/bulk-deliveries.ts';
import { runJob } from '../../support/jobs.ts';
import { openHub } from '../../support/open-hub.ts';
import { furnish, outbox, register } from '../../support/people.ts';
import { startSes } from '../../support/ses.ts';
import type { Upstream } from '../../support/upstream.ts';

const MINUTE = 60_000;
const environment = { ...process.env };
const hub = await openHub(furnish);
let ses: Upstream;

beforeAll(async () => {
  ses = await startSes();
});
beforeEach(() => {
  ses.received.length = 0;
});
afterAll(async () => {
  process.env = environment;
  await ses.close();
});

const subjects = (): string[] =>
  ses.received.flatMap(({ url, body }) =>
    url.pathname.endsWith('/outbound-emails') ? [JSON.parse(body).Content.Simple.Subject.Data] : [],
  );
const notify = (id: string, title = 'Bought') =>
  putInOutbox(
    hub.runtime.store,
    id,
    { kind: 'notification_mail', to: 'owner@example.com', title, body: '1 AAPL' },
    hub.runtime.clock(),
  );
const stored = async (id: string) => (await hub.runtime.store.getMany([keys.outbox(id)]))[0];
const queued = (id: string) => ({
  Records: [{ messageId: id, body: JSON.stringify({ delivery_id: id, attempts: 0 }) }],
});

test('a backlog of notifications holds up no code', async () => {
  for (let n = 0; n < 60; n++) await notify(`backlog-${n}`);
  hub.advance(1000);
  const { body } = await register(hub);
  await hub.call('POST /send_otp_password_reset', { query: { email: body.email } });
  hub.advance(MINUTE);
  let batches = 1;
  await runJob(hub.runtime, { job: 'sweep-deliveries' }, () =>
    batches-- > 0 ? Number.POSITIVE_INFINITY : 0,
  );
  expect(subjects()).toEqual(['Your code for a new password']);
  expect(await runJob(hub.runtime, { job: 'sweep-bulk' })).toMatchObject({ done: 60, more: false });
  expect(await outbox(hub)).toEqual([]);
});

test('a message of notifications is delivered by its own lane only', async () => {
  await notify('once');
  const { runtime } = hub;
  expect(await stored('once')).toMatchObject({ entity: LANES.bulk.entity });
  await Promise.all([1, 2].map(() => deliverRecords(deliverBulk, runtime, queued('once'))));
  expect(subjects()).toEqual(['Bought']);
  expect(await stored('once')).toBeUndefined();
});

test('a dead letter is revived in its lane', async () => {
  await notify('dead');
  const { store, clock } = hub.runtime;
  const taken = await takeDelivery(store, 'dead', 0, clock());
  if (!taken) throw new Error('the message is gone');
  await postponeDelivery(store, taken, { reason: 'refused', final: true, now: clock() });
  expect(await reviveDeadLetter(store, 'dead', clock())).toBe(true);
  expect(await stored('dead')).toMatchObject({ due_kind: dueKind('bulk', 'dead') });
  await runJob(hub.runtime, { job: 'sweep-bulk' });
  expect(subjects()).toEqual(['Bought']);
});
