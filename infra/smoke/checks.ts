import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { HubClient } from '../client/package/src/index.ts';

/** Settings of a smoke test. */
export interface SmokeSettings {
  /** Address of the service. */
  readonly url: string;
  /** User that the test signs in as. It is registered if there is none with this e-mail. */
  readonly probe?: { readonly email: string; readonly password: string } | undefined;
  /** Origin of a web app that may call the service. */
  readonly origin?: string | undefined;
  /** Address of JSON with the mails that arrived: `{"items": [{"to": …, "at": …}]}`. */
  readonly sink?: string | undefined;
  /** Symbol with daily candles, for a backtest. */
  readonly symbol?: string | undefined;
}

/** Outcome of a check. A skipped one lacks a setting. */
type Outcome = { readonly passed: string } | { readonly skipped: string };

/** Check of a running service. Throws with the reason if it fails. */
export interface Check {
  readonly name: string;
  readonly run: (settings: SmokeSettings) => Promise<Outcome>;
}

const REQUEST_MS = 15_000;
/** Longest wait for a mail or a backtest that runs as a job. */
const WAIT_MS = 60_000;
const PAUSE_MS = 500;

const send = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { redirect: 'manual', ...init, signal: AbortSignal.timeout(REQUEST_MS) });

const expectStatus = (response: Response, status: number): void => {
  if (response.status !== status) throw new Error(`the answer is ${response.status} instead of ${status}`);
};

/** Calls a function until it returns something. */
const waitFor = async <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`${what} within ${WAIT_MS / 1000} seconds`);
    await sleep(PAUSE_MS);
  }
};

const clientOf = ({ url }: SmokeSettings): HubClient =>
  // Retries would hide a fault of the new version.
  new HubClient({ baseUrl: url, maxRetries: 0, timeoutMs: REQUEST_MS });

const NO_PROBE = { skipped: 'HUB_PROBE_EMAIL and HUB_PROBE_PASSWORD are not set' } as const;

export const health: Check = {
  name: 'health',
  run: async (settings) => {
    const { status, version, checks } = await clientOf(settings).health({});
    if (status !== 'ok') throw new Error(`the status is ${status}, the table is ${checks.table}`);
    return { passed: `version ${version}` };
  },
};

export const unknownPath: Check = {
  name: 'unknown path',
  run: async ({ url }) => {
    expectStatus(await send(`${url}/smoke-${randomUUID()}`), 404);
    return { passed: '404' };
  },
};

export const preflight: Check = {
  name: 'preflight',
  run: async ({ url, origin }) => {
    if (origin === undefined) return { skipped: 'no --origin' };
    const headers = { origin, 'access-control-request-method': 'POST' };
    const response = await send(`${url}/login`, { method: 'OPTIONS', headers });
    expectStatus(response, 204);
    const allowed = response.headers.get('access-control-allow-origin');
    if (allowed !== origin)
      throw new Error(`the allowed origin is ${allowed ?? 'none'} instead of ${origin}`);
    return { passed: `${origin} is allowed` };
  },
};

export const consolePage: Check = {
  name: 'console',
  run: async ({ url }) => {
    const page = await send(`${url}/console`);
    expectStatus(page, 200);
    const [script] = /console\/[\w-]+\.js/.exec(await page.text()) ?? [];
    if (script === undefined) throw new Error('the page names no script');
    expectStatus(await send(`${url}/${script}`), 200);
    return { passed: 'the page and its script' };
  },
};

export const signIn: Check = {
  name: 'sign-in',
  run: async (settings) => {
    if (!settings.probe) return NO_PROBE;
    const hub = clientOf(settings);
    const { access_token: token, user_key } = await hub.registerLogin({ body: settings.probe });
    // Another service may answer everything with 200.
    if (!token || !user_key) throw new Error('the answer has no session');
    const read = await hub.verifyUser({}, { token });
    if (read.user_key !== user_key) throw new Error('the session belongs to another user');
    await hub.sessionLogout({}, { token });
    return { passed: 'a session reads its user' };
  },
};

const mails = z.object({ items: z.array(z.object({ to: z.string(), at: z.string() })) });

const mail: Check = {
  name: 'mail',
  run: async (settings) => {
    const { probe, sink } = settings;
    if (!probe) return NO_PROBE;
    if (sink === undefined) return { skipped: 'no --sink' };
    // The clock of the sink may differ from that of this machine.
    const arrived = async (): Promise<readonly string[]> => {
      const { items } = mails.parse(await (await send(sink)).json());
      return items.flatMap(({ to, at }) => (to === probe.email ? [at] : []));
    };
    const before = new Set(await arrived());
    await clientOf(settings).sendOtpPasswordReset({ email: probe.email });
    await waitFor('no mail arrived', async () => (await arrived()).find((at) => !before.has(at)));
    return { passed: 'a mail arrived' };
  },
};

export const backtest: Check = {
  name: 'backtest',
  run: async (settings) => {
    const { probe, symbol } = settings;
    if (!probe) return NO_PROBE;
    if (symbol === undefined) return { skipped: 'no --symbol' };
    const hub = clientOf(settings);
    const { access_token: token } = await hub.registerLogin({ body: probe });
    const templates = await hub.getStrategyTemplates({});
    const template = templates.find(({ timeframes }) => timeframes.includes('1d'));
    if (!template) throw new Error('there is no template for daily bars');
    const body = { rules: template.rules, symbol, timeframe: '1d' as const };
    const started = await hub.runBacktest({ user_id: 'me', body }, { token });
    const { backtest_id } = started;
    if (backtest_id === null) throw new Error('the backtest was not stored');
    const done = await waitFor('the backtest was not done', async () => {
      const read = await hub.getBacktest({ user_id: 'me', backtest_id }, { token });
      if (read.status === 'failed') throw new Error(`the backtest failed: ${read.error}`);
      return read.status === 'done' ? read : undefined;
    });
    await hub.removeBacktest({ user_id: 'me', backtest_id }, { token });
    await hub.sessionLogout({}, { token });
    if (done.last_bar === null) throw new Error(`${symbol} has no daily candles`);
    return { passed: `${template.name} on ${symbol} to ${done.last_bar.slice(0, 10)}` };
  },
};

/** Checks in the order in which they run. */
export const CHECKS: readonly Check[] = [health, unknownPath, preflight, consolePage, signIn, mail, backtest];
