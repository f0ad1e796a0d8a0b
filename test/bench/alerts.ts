/**
 * Measures the time from an alert to the request at the broker, in the local service with a broker on loopback: the same
 * functions, queues and bus as on AWS, on one machine. Run by `npm run bench:alerts [-- --alerts 50]`. Each order has both
 * times; an address takes 30 alerts a minute, so the alerts come two seconds apart.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import * as z from 'zod';
import { readOptions } from '../../infra/commands/read-options.ts';
import { startService } from '../integration/local/service.ts';
import { fakeAlpaca } from '../support/alpaca.ts';
import { until } from '../support/until.ts';
import { progress } from './progress.ts';
import { failWith } from './result.ts';
import { rounded } from './statistics.ts';

const SYMBOL = 'ETHUSD';
const PRICE = 3000;
const MINUTE_MS = 60_000;
const PACE_MS = 2100;
const EMAIL = 'alerts@example.com';
const PASSWORD = 'a-password-of-alerts';

const HELP = `Usage: npm run bench:alerts [-- --alerts 50]

Options:
  --alerts <n>  alerts to send, 1 to 100 (50)
`;

const { values } = readOptions(HELP, { options: { alerts: { type: 'string', default: '50' } } });
const count = Number(values.alerts);
if (!(count >= 1 && count <= 100)) throw new Error('--alerts takes a number from 1 to 100');

const alpaca = await fakeAlpaca();
alpaca.price = String(PRICE);
const service = await startService(alpaca.environment, '--memory', '--no-market');

const bearer = { authorization: '' };

const call = async (
  method: 'GET' | 'POST',
  path: string,
  query: Readonly<Record<string, string>> = {},
  body?: URLSearchParams | Readonly<Record<string, unknown>>,
): Promise<unknown> => {
  const url = new URL(path, service.url);
  url.search = new URLSearchParams(query).toString();
  const isForm = body instanceof URLSearchParams;
  const response = await fetch(url, {
    method,
    headers: {
      ...(bearer.authorization !== '' && bearer),
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
  return response.json();
};

const form = (fields: Readonly<Record<string, string>>): URLSearchParams => new URLSearchParams(fields);

const inbox = z.object({ items: z.array(z.object({ to: z.string(), text: z.string() })) });

/** Waits for a mail with a code that none of the earlier mails has. */
const mailedCode = async (known: ReadonlySet<string>): Promise<string> => {
  let code: string | undefined;
  await until(async () => {
    const { items } = inbox.parse(await call('GET', '/__local/messages.json'));
    const mails = items.filter(({ to }) => to === EMAIL).map(({ text }) => text);
    code = mails.flatMap((text) => /code is (\d+)/.exec(text)?.[1] ?? []).find((one) => !known.has(one));
    return code !== undefined;
  });
  if (code === undefined) throw new Error('no code was mailed');
  return code;
};

const signedIn = z.object({ user_id: z.string(), access_token: z.string() });

/** Registers a person with a proven e-mail, in a session that is stepped up. */
const person = async (): Promise<string> => {
  const clientKey = /Client key (\S+)/.exec(service.output())?.[1] ?? '';
  await call(
    'POST',
    '/register_user',
    { auth: clientKey },
    { email: EMAIL, password: PASSWORD, name: 'Alerts' },
  );
  const first = await mailedCode(new Set());
  const { user_id, access_token } = signedIn.parse(
    await call('POST', '/login', {}, form({ username: EMAIL, password: PASSWORD })),
  );
  bearer.authorization = `Bearer ${access_token}`;
  await call('POST', '/confirm_email', { user_id }, { code: first });
  await call('POST', '/send_step_up_code', { user_id });
  const code = await mailedCode(new Set([first]));
  await call('POST', '/step_up', { user_id }, { password: PASSWORD, code });
  return user_id;
};

/** Sends the bars of the last minutes to the bus, as a feed does. */
const feed = async (minutes: number): Promise<void> => {
  const endpoint = /Bus +(\S+)/.exec(service.output())?.[1] ?? '';
  const client = new EventBridgeClient({
    endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  const bars = Array.from({ length: minutes }, (_, index) => ({
    start: new Date(now - (minutes - index) * MINUTE_MS).toISOString(),
    open: PRICE,
    high: PRICE,
    low: PRICE,
    close: PRICE,
    volume: 1,
  }));
  const Detail = JSON.stringify({ version: 1, symbol: SYMBOL, timeframe: '1m', bars });
  await client.send(
    new PutEventsCommand({
      Entries: [
        { EventBusName: 'strategy-hub-local', Source: 'bench.feed', DetailType: 'Bars Closed', Detail },
      ],
    }),
  );
  client.destroy();
};

const orderBook = z.object({
  items: z.array(
    z.object({ status: z.string(), received_at: z.string().nullable(), requested_at: z.string().nullable() }),
  ),
});

const part = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;

const run = async (): Promise<void> => {
  const user_id = await person();
  progress('a person is signed in');
  await feed(30);
  const { account_id } = z.object({ account_id: z.string() }).parse(
    await call(
      'POST',
      '/connect_execution',
      { user_id },
      {
        adapter: 'alpaca',
        environment: 'paper',
        key_id: alpaca.keys.keyId,
        secret: alpaca.keys.secret,
      },
    ),
  );
  const { keygen } = z.object({ keygen: z.string() }).parse(
    await call('POST', '/build_new_strategy', {
      user_id,
      strategy_name: 'Alerts',
      symbol: SYMBOL,
      timeframe: '1m',
    }),
  );
  const deployed = form({ mode: 'live', starting_capital: '1000000', account_id });
  const { deployment_id } = z
    .object({ deployment_id: z.number() })
    .parse(await call('POST', '/deploy_live_strategy', { keygen }, deployed));
  const query = { user_id, deployment_id: String(deployment_id) };
  await call('POST', '/set_risk_limits', query, { limits: { daily_loss: '100000', order_value: '100000' } });
  progress('the deployment is made');
  const { url } = z
    .object({ url: z.string() })
    .parse(await call('POST', '/create_signal_hook', query, form({ max_quantity: '1' })));
  await until(async () => {
    const status = z.object({ status: z.string() });
    return status.parse(await call('GET', '/get_deployment', query)).status === 'active';
  });
  for (let sent = 0; sent < count; sent += 1) {
    const began = Date.now();
    const json = { id: String(sent), time: new Date().toISOString(), action: 'buy', quantity: '0.1' };
    await call('POST', new URL(url).pathname, {}, json);
    progress(`alert ${sent + 1} of ${count}`);
    if (sent % 20 === 19) await feed(2);
    await sleep(Math.max(0, PACE_MS - (Date.now() - began)));
  }
  await sleep(PACE_MS);
  const { items } = orderBook.parse(
    await call('GET', '/get_live_strategy_order_book', { ...query, size: '100' }),
  );
  const times = items
    .flatMap(({ received_at, requested_at }) =>
      received_at && requested_at ? [Date.parse(requested_at) - Date.parse(received_at)] : [],
    )
    .sort((left, right) => left - right);
  if (times.length < count) throw new Error(`${times.length} of ${count} alerts reached the broker`);
  const shown = [0.5, 0.95, 1].map((share) => rounded(part(times, share), 0));
  console.log(`${times.length} alerts: p50 ${shown[0]} ms, p95 ${shown[1]} ms, longest ${shown[2]} ms`);
};

try {
  await run();
} catch (error) {
  failWith([error instanceof Error ? error.message : String(error)]);
} finally {
  service.process.kill('SIGKILL');
  await service.exited;
  await alpaca.close();
}
