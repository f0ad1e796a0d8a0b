import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Message } from '../../../shared/data/outbox/messages.ts';
import { putInOutbox } from '../../../shared/data/outbox/outbox.ts';
import { reArmSwitch, throwSwitch } from '../../../shared/lifecycle/throw-switch.ts';
import { deliverOrder } from '../../support/functions/orders.ts';
import { haltAll, signedTrader, switchOwn } from '../../support/kill-switch.ts';
import { openHub } from '../../support/open-hub.ts';
import { soakable } from '../../support/soak.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, report, reportOrder } from '../../support/trading.ts';
import { json, startUpstream, type Upstream } from '../../support/upstream.ts';

const environment = { ...process.env };
let bus: Upstream;

const hub = await openHub(furnishWithInstruments);
beforeAll(async () => {
  bus = await startUpstream(json({ FailedEntryCount: 0, Entries: [{ EventId: '1' }] }));
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_MAX_ATTEMPTS: '1',
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
  });
});
afterAll(async () => {
  process.env = environment;
  await bus.close();
});

const sentIds = (): string[] =>
  bus.received.flatMap(({ body }) =>
    JSON.parse(body).Entries.flatMap(({ DetailType, Detail }: { DetailType: string; Detail: string }) =>
      DetailType === 'Order Requested' ? [JSON.parse(Detail).delivery_id] : [],
    ),
  );

let requests = 0;

/** Puts the request of an entry into the outbox, with its order pending, as the hub's engine does. */
const request = async (user_id: string, deployment_id: number): Promise<string> => {
  const number = ++requests;
  const client_order_id = `AAPL:${number}:e0`;
  const now = hub.runtime.clock();
  await reportOrder(hub, deployment_id, {
    client_order_id,
    status: 'pending',
    filled_quantity: '0',
    average_price: null,
    sequence: 0,
    quantity: '5',
  });
  const message: Message = {
    kind: 'order_request',
    user_id,
    request: {
      type: 'Order Requested',
      detail: {
        version: 1,
        deployment_id,
        client_order_id,
        symbol: 'AAPL',
        adapter: 'test',
        account: 'A-1',
        occurred_at: now.toISOString(),
        side: 'buy',
        quantity: '5',
        expected_price: '100',
        time_in_force: 'day',
        valid_until: new Date(now.getTime() + 3_600_000).toISOString(),
        order_type: 'market',
      },
    },
  };
  const id = `order-${number}`;
  await putInOutbox(hub.runtime.store, id, message, now);
  return id;
};

test('no order leaves once the switch is thrown, whatever runs in parallel', async () => {
  const owner = await signedTrader(hub);
  const { user_id, headers } = owner;
  const deployment = (await deployTrading(hub, owner.keygen)).body.deployment_id;
  await report(hub, 'Deployment Started', deployment);
  const query = { user_id, deployment_id: String(deployment), reason: 'Again.' };
  const resume = () => hub.call('POST /resume_deployment', { query, headers });
  const pause = fc.integer({ min: 0, max: 30 });
  const step = fc.record({
    after: pause,
    kind: fc.constantFrom('order' as const, 'resume' as const, 'quote' as const, 'halt' as const),
  });
  await fc.assert(
    fc
      .asyncProperty(
        fc.array(step, { maxLength: 8 }),
        pause,
        fc.boolean(),
        async (steps, moment, byOperator) => {
          let isThrown = false;
          const refused = new Set<string>();
          const deliverOne = async (): Promise<void> => {
            const id = await request(user_id, deployment);
            if (isThrown) refused.add(id);
            await deliverOrder(hub.runtime, id, 0);
          };
          const perform = {
            order: deliverOne,
            resume,
            quote: () => report(hub, 'Quote Marked', deployment, { symbol: 'AAPL', price: 100 }),
            halt: () => haltAll(hub),
          } as const;
          const throwIt = async (): Promise<void> => {
            await sleep(moment);
            const command = { subject: { level: 'user', user_id }, actor: { by: 'operator' } } as const;
            if (byOperator) await throwSwitch(hub.runtime, { ...command, reason: 'x', flatten: false });
            else await switchOwn(hub, owner, 'throw');
            isThrown = true;
          };
          await Promise.all([
            throwIt(),
            ...steps.map(async ({ after, kind }) => {
              await sleep(after);
              await perform[kind]();
            }),
          ]);
          await Promise.all([deliverOne(), resume(), haltAll(hub), deliverOne()]);
          expect(refused.size).toBeGreaterThan(0);
          expect(sentIds().filter((id) => refused.has(id))).toEqual([]);
        },
      )
      .afterEach(async () => {
        await switchOwn(hub, owner, 're_arm');
        const subject = { level: 'user', user_id } as const;
        await reArmSwitch(hub.runtime, { subject, actor: { by: 'operator' }, reason: 'x' });
        await resume();
        hub.advance(1000);
      }),
    { numRuns: soakable(3, 100) },
  );
  // Otherwise the property would hold for a lane that sends nothing.
  const id = await request(user_id, deployment);
  await deliverOrder(hub.runtime, id, 0);
  expect(sentIds()).toContain(id);
});
