import { describe, expect, test } from '@jest/globals';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Request, Response } from '../../support/hub.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, freshEmail, login, PASSWORD, register, sentCode } from '../../support/people.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading } from '../../support/trading.ts';

const MINUTE = 60_000;
const hub = await openHub(furnishWithInstruments);

interface Entered {
  readonly user_id: string;
  readonly email: string;
  readonly access_token: string;
}

const owner = async (): Promise<Entered & { refresh_token: string }> =>
  (await login(hub, (await register(hub)).body.email)).body;

const as = ({ user_id, access_token }: Entered, request: Request = {}): Request => ({
  ...request,
  query: { user_id, ...Object.fromEntries(Object.entries(request.query ?? {})) },
  headers: bearer(access_token),
});

const resultOf = ({ status, body }: Response) => [status, body.code];
const reArm = (who: Entered) =>
  hub.call('POST /kill_switch', as(who, { json: { action: 're_arm', reason: 'All is well.' } }));
const stepUp = (who: Entered, json: object) => hub.call('POST /step_up', as(who, { json }));
const sendCode = (who: Entered) => hub.call('POST /send_step_up_code', as(who));

describe('a step-up without a second factor', () => {
  test('takes the password with a mailed code, for ten minutes and this session', async () => {
    const who = await owner();
    const refused = await reArm(who);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ code: 'step_up_required', ways: ['password_and_code'] });
    expect((await sendCode(who)).body.sent_to).toMatch(/^p\*\*\*@/);
    const code = await sentCode(hub, who.email, 'step_up');
    expect(resultOf(await stepUp(who, { code }))).toEqual([403, 'step_up_required']);
    expect(resultOf(await stepUp(who, { code, password: 'another one' }))).toEqual([
      401,
      'credentials_invalid',
    ]);
    expect(resultOf(await stepUp(who, { code: '12345678', password: PASSWORD }))).toEqual([
      401,
      'code_invalid',
    ]);
    // A thief of the session learns of no password whether it is right.
    expect(resultOf(await stepUp(who, { code: '12345678', password: 'another one' }))).toEqual([
      401,
      'code_invalid',
    ]);
    const stepped = await stepUp(who, { code, password: PASSWORD });
    expect(stepped.body).toEqual({
      stepped_up_until: new Date(hub.runtime.clock().getTime() + 10 * MINUTE).toISOString(),
    });
    expect((await reArm(who)).status).toBe(200);
    expect(resultOf(await stepUp(who, { code, password: PASSWORD }))).toEqual([401, 'code_invalid']);
    const second = await hub.call('POST /login', { form: { username: who.email, password: PASSWORD } });
    expect(resultOf(await reArm(second.body))).toEqual([403, 'step_up_required']);
    hub.advance(10 * MINUTE);
    expect(resultOf(await reArm(who))).toEqual([403, 'step_up_required']);
  });

  test('is not locked by strangers who guess at the password', async () => {
    const who = await owner();
    for (let n = 0; n < 5; n++) {
      const form = { username: who.email, password: `guess ${n}` };
      await hub.call('POST /login', { form, sourceIp: '198.51.100.7' });
    }
    expect((await login(hub, who.email)).status).toBe(429);
    await sendCode(who);
    const code = await sentCode(hub, who.email, 'step_up');
    expect((await stepUp(who, { code, password: PASSWORD })).status).toBe(200);
    const change = { password: PASSWORD, new_password: 'a new password' };
    expect((await hub.call('POST /change_password', as(who, { json: change }))).status).toBe(200);
  });

  test('lets nobody guess more at the password by opening more sessions', async () => {
    const who = await owner();
    await sendCode(who);
    const code = await sentCode(hub, who.email, 'step_up');
    const sessions = [who, (await login(hub, who.email)).body];
    for (let n = 0; n < 5; n++) {
      const guess = await stepUp(sessions[n % 2], { code, password: `guess ${n}` });
      expect(resultOf(guess)).toEqual([401, 'credentials_invalid']);
    }
    const third: Entered = (await login(hub, who.email)).body;
    expect(resultOf(await stepUp(third, { code, password: PASSWORD }))).toEqual([429, 'too_many_attempts']);
  });

  test('ends with a renewal, and does not reach a token that was renewed before', async () => {
    const who = await owner();
    const renew = async (token: string) =>
      (await hub.call('POST /session/relogin', { headers: bearer(token) })).body;
    const thief = await renew(who.refresh_token);
    await sendCode(who);
    const proof = { code: await sentCode(hub, who.email, 'step_up'), password: PASSWORD };
    expect((await stepUp(who, proof)).status).toBe(200);
    expect((await reArm(who)).status).toBe(200);
    expect(resultOf(await reArm(thief))).toEqual([403, 'step_up_required']);
    const later = await renew(thief.refresh_token);
    expect(resultOf(await reArm(later))).toEqual([403, 'step_up_required']);
    expect((await hub.call('GET /get_factors', as(later))).body.stepped_up_until).toBe(null);
  });

  test('is not for the user_id alone, nor for platform tokens', async () => {
    const who = await owner();
    const { user_id } = who;
    const alone = await hub.call('POST /step_up', { query: { user_id }, json: { code: '1' } });
    expect(resultOf(alone)).toEqual([401, 'session_required']);
    const made = await hub.call('POST /generate_token', as(who));
    const program = { ...who, access_token: made.body.token };
    expect(resultOf(await stepUp(program, { code: '1', password: PASSWORD }))).toEqual([
      403,
      'platform_token_insufficient',
    ]);
    const refused = await reArm(program);
    expect(refused.body).toMatchObject({ code: 'step_up_required', ways: [] });
  });
});

/** Returns a user with an active deployment of real orders. */
const realTrader = async () => {
  const who = await owner();
  const { keygen } = (await build(hub, { user_id: who.user_id })).body;
  const id = String((await deployTrading(hub, keygen)).body.deployment_id);
  const set = { mode: 'live', status: 'active' };
  await hub.runtime.store.transact([{ key: keys.deployment(Number(id)), set }]);
  return { who, keygen, id };
};

/** Tries all that begins to trade real money, or lets others do it. */
const tries = (who: Entered, keygen: string, deployment_id: string) => {
  const post = (path: string, request: Request = {}) =>
    hub.call(`POST ${path}`, {
      ...as(who, request),
      query: { user_id: who.user_id, ...Object.fromEntries(Object.entries(request.query ?? {})) },
    });
  const connection = {
    adapter: 'alpaca',
    environment: 'paper',
    key_id: 'PKTEST0123',
    secret: 'a-secret-0123',
  };
  return {
    deploy: () =>
      hub.call('POST /deploy_live_strategy', {
        query: { keygen },
        headers: bearer(who.access_token),
        form: { mode: 'live', starting_capital: '1000' },
      }),
    resume: () => post('/resume_deployment', { query: { deployment_id, reason: 'Go on.' } }),
    connect: () => post('/connect_execution', { json: connection }),
    'make a key': () => post('/make_api_key', { json: { name: 'bot', scopes: ['trade:real'] } }),
    'change the e-mail': () => post('/change_email', { json: { email: freshEmail() } }),
    're-arm': () => reArm(who),
    'end a limit': () => post('/set_risk_limits', { json: { limits: {} } }),
    'add an app': () => post('/add_totp'),
  };
};

const outcomes = async (attempts: ReturnType<typeof tries>): Promise<Record<string, unknown>> => {
  const made: [string, unknown][] = [];
  for (const [name, attempt] of Object.entries(attempts)) made.push([name, resultOf(await attempt())]);
  return Object.fromEntries(made);
};

/** Sets a limit, and pauses the deployment, so that there is something to end and to resume. */
const prepared = async () => {
  const trader = await realTrader();
  const { who, id } = trader;
  const limits = { limits: { daily_loss: '100' } };
  expect((await hub.call('POST /set_risk_limits', as(who, { json: limits }))).status).toBe(200);
  const paused = await hub.call('POST /pause_deployment', as(who, { query: { deployment_id: id } }));
  expect(paused.status).toBe(200);
  return trader;
};

/** Stops all that trades, which no thief can keep an owner from. */
const stops = async (who: Entered, deployment_id: string) => {
  const stricter = { limits: { daily_loss: '50' } };
  return [
    await hub.call('POST /set_risk_limits', as(who, { json: stricter })),
    await hub.call('POST /kill_switch', as(who, { json: { action: 'throw', reason: 'Who is this?' } })),
    await hub.call('POST /stop_deployment', as(who, { query: { deployment_id, flatten: 'true' } })),
    await hub.call('POST /end_session', as(who, { query: { others: 'true' } })),
  ].map(resultOf);
};

const STOPPED = Array.from({ length: 4 }, () => [200, undefined]);
const every = (attempts: ReturnType<typeof tries>, outcome: unknown) =>
  Object.fromEntries(Object.keys(attempts).map((name) => [name, outcome]));

describe('a thief moves no money', () => {
  test('with a cookie or a platform token, while the owner stops everything without a step-up', async () => {
    const { who, keygen, id } = await prepared();
    const attempts = tries(who, keygen, id);
    expect(await outcomes(attempts)).toEqual(every(attempts, [403, 'step_up_required']));
    const { token } = (await hub.call('POST /generate_token', as(who))).body;
    const program = tries({ ...who, access_token: token }, keygen, id);
    expect(await outcomes(program)).toEqual(every(program, [403, 'step_up_required']));
    const bare = await hub.call('POST /deploy_live_strategy', {
      query: { keygen },
      form: { mode: 'live', starting_capital: '1000' },
    });
    expect(resultOf(bare)).toEqual([401, 'session_required']);
    expect(await stops(who, id)).toEqual(STOPPED);
  });

  test('with the mailbox of an account without a factor, for a day after the reset', async () => {
    const { who, keygen, id } = await prepared();
    await hub.call('POST /send_otp_password_reset', { query: { email: who.email } });
    const reset = {
      email: who.email,
      new_password: 'of the thief',
      otp: (await sentCode(hub, who.email)) ?? '',
    };
    expect((await hub.call('POST /reset_password', { query: reset })).status).toBe(200);
    const thief: Entered = (await login(hub, who.email, 'of the thief')).body;
    await sendCode(thief);
    const code = await sentCode(hub, who.email, 'step_up');
    expect((await stepUp(thief, { code, password: 'of the thief' })).status).toBe(200);
    const { deploy, resume, connect, 're-arm': again, 'end a limit': loosen } = tries(thief, keygen, id);
    for (const attempt of [deploy, resume, connect, again, loosen]) {
      expect(resultOf(await attempt())).toEqual([409, 'recovery_wait']);
    }
    expect(await stops(thief, id)).toEqual(STOPPED);
  });
});
