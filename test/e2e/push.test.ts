import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import * as z from 'zod';
import { type Service, startService } from '../integration/local/service.ts';
import { until } from '../support/until.ts';

let service: Service;
let bus: EventBridgeClient;

beforeAll(async () => {
  service = await startService({ HUB_DEMO_HISTORY: 'no' }, '--memory', '--no-market');
  bus = new EventBridgeClient({
    endpoint: /Bus +(\S+)/.exec(service.output())?.[1] ?? '',
    region: 'eu-west-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
});
afterAll(async () => {
  bus.destroy();
  service.process.kill('SIGKILL');
  await service.exited;
});

/** Calls the service and returns the body, which must have these fields. */
const call = async <S extends z.ZodType>(
  path: string,
  query: Readonly<Record<string, string>>,
  init: RequestInit,
  schema: S,
): Promise<z.output<S>> => {
  const url = new URL(path, service.url);
  url.search = new URLSearchParams(query).toString();
  const response = await fetch(url, init);
  const body: unknown = await response.json();
  expect([path, response.status]).toEqual([path, 200]);
  return schema.parse(body);
};
const post = { method: 'POST' };
const devices = z.object({ registrations: z.array(z.object({ push_key: z.string() })) });
const inbox = z.object({
  items: z.array(z.object({ kind: z.string(), to: z.string(), subject: z.string(), text: z.string() })),
});

it('a signal of an engine reaches the owner’s app and browser, and what is gone is forgotten', async () => {
  const registered = await call(
    '/register_user',
    { auth: 'demo-client-key' },
    {
      ...post,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'push@example.com', password: 'first-password', name: 'Ada' }),
    },
    z.object({ user_id: z.string() }),
  );
  const { user_id } = registered;
  const local = { ...post, headers: { 'x-hub-local': 'push' } };
  const subscription = await call('/__local/push-subscription', {}, local, z.looseObject({}));
  const gone = 'unregistered';
  for (const push_key of ['a-phone', gone, JSON.stringify(subscription)]) {
    await call('/register_push_token', { user_id, push_key }, post, z.looseObject({}));
  }
  const { keygen } = await call(
    '/build_new_strategy',
    { user_id, symbol: 'AAPL', timeframe: '1d', strategy_name: 'Push me' },
    post,
    z.object({ keygen: z.string() }),
  );
  const { deployment_id } = await call(
    '/deploy_notification_strategy',
    { keygen },
    { ...post, body: new URLSearchParams({ channels: 'push' }) },
    z.object({ deployment_id: z.number() }),
  );
  const detail = {
    version: 1,
    deployment_id,
    occurred_at: new Date().toISOString(),
    symbol: 'AAPL',
    side: 'buy',
    title: 'Buy AAPL',
    body: 'It crossed.',
  };
  await bus.send(
    new PutEventsCommand({
      Entries: [
        {
          Source: 'engine',
          DetailType: 'Signal Raised',
          Detail: JSON.stringify(detail),
          EventBusName: 'strategy-hub-local',
        },
      ],
    }),
  );

  const pushes = async () =>
    (await call('/__local/messages.json', {}, {}, inbox)).items.filter(({ kind }) => kind === 'push');
  const known = async () =>
    (await call('/get_push_token_web', { user_id }, {}, devices)).registrations.map((one) => one.push_key);
  await until(async () => (await pushes()).length >= 2 && !(await known()).includes(gone), 100);
  expect((await pushes()).map(({ to }) => to.replace(/ \S+$/, '')).sort()).toEqual([
    'the app',
    'the browser',
  ]);
  for (const { subject, text } of await pushes())
    expect([subject, text]).toEqual(['Buy AAPL', 'It crossed.']);
  expect((await known()).sort()).toEqual(['a-phone', JSON.stringify(subscription)].sort());
  const line = 'push to the app a-phone: Buy AAPL';
  // The output comes through a pipe, perhaps after the answers.
  await until(() => service.output().includes(line));
  expect(service.output()).toContain(line);
});

it('a bounce stops mail to an address, and its owner is notified in the app', async () => {
  const email = 'bounce+ada@simulator.amazonses.com';
  const { user_id } = await call(
    '/register_user',
    { auth: 'demo-client-key' },
    {
      ...post,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'first-password', name: 'Ada' }),
    },
    z.object({ user_id: z.string() }),
  );
  await call('/send_otp_password_reset', { email }, post, z.object({}));
  const list = z.object({ items: z.array(z.object({ kind: z.string() })) });
  let kinds: readonly string[] = [];
  await until(async () => {
    const { items } = await call('/get_deployment_notifications', { user_id }, {}, list);
    kinds = items.map(({ kind }) => kind);
    return kinds.length > 0;
  }, 100);
  expect(kinds).toEqual(['mail_stopped']);
});
