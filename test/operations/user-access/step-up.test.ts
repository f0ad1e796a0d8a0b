import { describe, expect, test } from '@jest/globals';
import type { Request, Response } from '../../support/hub.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, login, PASSWORD, register, sentCode } from '../../support/people.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';

const MINUTE = 60_000;
const hub = await openHub(furnishWithInstruments);

interface Entered {
  readonly user_id: string;
  readonly email: string;
  readonly access_token: string;
}

const owner = async (): Promise<Entered> => (await login(hub, (await register(hub)).body.email)).body;

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
