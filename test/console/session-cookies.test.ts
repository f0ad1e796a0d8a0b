import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';

type Cookies = typeof import('../../functions/console/app/session-cookies.ts');

const EXPIRES_IN_S = 900;

let stored: Map<string, string>;
let answers: { status: number; json: unknown }[];
let sent: string[];
let cookies: Cookies;

const answer = (status: number, json: unknown = {}) => answers.push({ status, json });
const ADA = 'u_ada';
const renewed = (user_key = ADA) =>
  answer(200, { expires_in: EXPIRES_IN_S, access_token: 'secret', user_id: 'secret', user_key });
const signedIn = (expires_in: number) => cookies.noteSignIn({ expires_in, user_key: ADA });

beforeEach(async () => {
  stored = new Map();
  answers = [];
  sent = [];
  const ofTab = new Map<string, string>();
  const storageOf = (of: () => Map<string, string>) => ({
    getItem: (key: string) => of().get(key) ?? null,
    setItem: (key: string, value: string) => of().set(key, value),
    removeItem: (key: string) => of().delete(key),
  });
  Object.assign(globalThis, {
    location: { origin: 'https://hub.example' },
    localStorage: storageOf(() => stored),
    sessionStorage: storageOf(() => ofTab),
  });
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    sent.push(new URL(String(input)).pathname);
    const { status, json } = answers.shift() ?? { status: 500, json: {} };
    return new Response(JSON.stringify(json), { status });
  });
  // Makes waits between tries as short as possible.
  jest.spyOn(Math, 'random').mockReturnValue(0);
  jest.resetModules();
  cookies = await import('../../functions/console/app/session-cookies.ts');
});

afterEach(() => {
  jest.restoreAllMocks();
  Reflect.deleteProperty(globalThis, 'localStorage');
  Reflect.deleteProperty(globalThis, 'sessionStorage');
  Reflect.deleteProperty(globalThis, 'location');
});

test('without a session nothing is sent', async () => {
  await cookies.renewIfNeeded();
  expect([cookies.hasSession(), await cookies.renewSession(), sent]).toEqual([false, false, []]);
});

test('a session that another page began is found, and renewed if it has expired', async () => {
  answer(200, { has_session: false, expires_in: 0 });
  expect([await cookies.findSession(), cookies.hasSession()]).toEqual([false, false]);
  answer(200, { has_session: true, expires_in: EXPIRES_IN_S });
  expect([await cookies.findSession(), cookies.hasSession()]).toEqual([true, true]);
  await cookies.renewIfNeeded();
  answer(200, { has_session: true, expires_in: 0 });
  await cookies.findSession();
  renewed();
  await cookies.renewIfNeeded();
  const asked = '/session/state';
  expect(sent).toEqual([asked, asked, asked, '/session/relogin']);
});

test('a session is renewed once for all requests, shortly before it ends', async () => {
  signedIn(EXPIRES_IN_S);
  await cookies.renewIfNeeded();
  expect(sent).toEqual([]);
  signedIn(10);
  renewed();
  await Promise.all([cookies.renewIfNeeded(), cookies.renewIfNeeded(), cookies.renewIfNeeded()]);
  expect(sent).toEqual(['/session/relogin']);
  await cookies.renewIfNeeded();
  expect(sent).toHaveLength(1);
});

test('a renewal by another tab is used', async () => {
  signedIn(10);
  const [key = ''] = [...stored.keys()].filter((one) => one.endsWith('until'));
  const request = async (_name: string, work: () => Promise<boolean>): Promise<boolean> => {
    stored.set(key, String(Date.now() + EXPIRES_IN_S * 1000));
    return work();
  };
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', { value: { locks: { request } }, configurable: true });
  try {
    expect([await cookies.renewSession(), sent]).toEqual([true, []]);
  } finally {
    if (before) Object.defineProperty(globalThis, 'navigator', before);
  }
});

test('a refused renewal ends the session, another failure does not', async () => {
  signedIn(10);
  answer(500);
  await expect(cookies.renewSession()).rejects.toThrow('500');
  expect([cookies.hasSession(), cookies.isSessionOver.value]).toEqual([true, false]);
  answer(401);
  expect([await cookies.renewSession(), cookies.hasSession(), cookies.isSessionOver.value]).toEqual([
    false,
    false,
    true,
  ]);
});

test('a renewal that is answered for another user ends the session, as the page shows the first one', async () => {
  signedIn(10);
  renewed('u_mallory');
  expect([await cookies.renewSession(), cookies.hasSession(), cookies.isSessionOver.value]).toEqual([
    false,
    false,
    true,
  ]);
  cookies.noteSignIn({ expires_in: 10, user_key: 'u_mallory' });
  renewed('u_mallory');
  expect([await cookies.renewSession(), cookies.isSessionOver.value]).toEqual([true, false]);
});

test('a renewal before the user is known is any user of this browser', async () => {
  signedIn(10);
  jest.resetModules();
  const reloaded: Cookies = await import('../../functions/console/app/session-cookies.ts');
  renewed('u_grace');
  expect(await reloaded.renewSession()).toBe(true);
  reloaded.noteUser(ADA);
  renewed('u_grace');
  expect(await reloaded.renewSession()).toBe(false);
});

test('a page that the browser brings back loads anew if somebody signed in or out meanwhile', async () => {
  const listeners = new Map<string, (event: object) => void>();
  const reload = jest.fn();
  Object.assign(globalThis, {
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
    location: { origin: 'https://hub.example', reload },
  });
  try {
    cookies.followOtherTabs();
    const leaveAndReturn = (change: () => void, persisted = true) => {
      listeners.get('pagehide')?.({});
      change();
      listeners.get('pageshow')?.({ persisted });
      return reload.mock.calls.length;
    };
    signedIn(EXPIRES_IN_S);
    expect(leaveAndReturn(() => undefined)).toBe(0);
    expect(leaveAndReturn(() => stored.clear(), false)).toBe(0);
    signedIn(EXPIRES_IN_S);
    expect(leaveAndReturn(() => stored.clear())).toBe(1);
    // The page says the reason once, after it was loaded again.
    expect(cookies.sessionEnd.value).toBeUndefined();
    cookies.followOtherTabs();
    expect(cookies.sessionEnd.value).toBe('other_tab');
    cookies.sessionEnd.value = undefined;
    cookies.followOtherTabs();
    expect(cookies.sessionEnd.value).toBeUndefined();
  } finally {
    Reflect.deleteProperty(globalThis, 'addEventListener');
  }
});

test('a renewal whose answer is lost is asked for again with the same key', async () => {
  signedIn(10);
  const keys: unknown[] = [];
  jest.mocked(fetch).mockImplementation(async (_input, init) => {
    keys.push(new Headers(init?.headers).get('idempotency-key'));
    if (keys.length === 1) throw new TypeError('the connection broke');
    return new Response(JSON.stringify({ expires_in: EXPIRES_IN_S, user_key: ADA }));
  });
  expect(await cookies.renewSession()).toBe(true);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

test('a renewal that a reload of the page cut off goes on with its key, the next one has its own', async () => {
  signedIn(10);
  const keys: unknown[] = [];
  jest.mocked(fetch).mockImplementation(async (_input, init) => {
    keys.push(new Headers(init?.headers).get('idempotency-key'));
    if (keys.length === 1) return new Response('{}', { status: 500 });
    return new Response(JSON.stringify({ expires_in: 10, user_key: ADA }));
  });
  await expect(cookies.renewSession()).rejects.toThrow('500');
  jest.resetModules();
  const reloaded: Cookies = await import('../../functions/console/app/session-cookies.ts');
  expect(await reloaded.renewSession()).toBe(true);
  expect(await reloaded.renewSession()).toBe(true);
  expect(keys[0]).toBe(keys[1]);
  expect(keys[1]).not.toBe(keys[2]);
});

test('no secret of an answer is stored', async () => {
  signedIn(10);
  renewed();
  await cookies.renewSession();
  expect([...stored.keys()].toSorted()).toEqual(['hub.session.begun', 'hub.session.until']);
  expect([...stored.values()].every((value) => /^\d+$/.test(value))).toBe(true);
});

test('the end of a session has a reason, unless its user ended it here', async () => {
  signedIn(10);
  answer(401, { code: 'session_required' });
  await cookies.renewSession();
  expect(cookies.sessionEnd.value).toBe('lost');
  signedIn(10);
  expect(cookies.sessionEnd.value).toBeUndefined();
  answer(401, { code: 'session_invalid' });
  await cookies.renewSession();
  expect(cookies.sessionEnd.value).toBe('refused');
  signedIn(10);
  renewed('u_other');
  await cookies.renewSession();
  expect(cookies.sessionEnd.value).toBe('other_user');
  cookies.forgetSession();
  expect(cookies.sessionEnd.value).toBeUndefined();
});
