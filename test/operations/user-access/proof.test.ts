import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { endpointsWrite } from '../../../shared/data/webhooks/endpoints.ts';
import { approvedBroker, broker, registerUnprovenAtBroker, tokenOf } from '../../support/brokers.ts';
import { takeFeedback } from '../../support/functions/mail-feedback.ts';
import type { Request, Response } from '../../support/hub.ts';
import { accessOf, readAs } from '../../support/integrators.ts';
import { openHub } from '../../support/open-hub.ts';
import {
  bearer,
  freshEmail,
  login,
  outbox,
  PASSWORD,
  prove,
  register,
  registerUnproven,
  sentCode,
} from '../../support/people.ts';
import { devicesOf, registerDevice } from '../../support/push.ts';
import { settleSecured } from '../../support/secured.ts';
import { deliverMails, startSes } from '../../support/ses.ts';
import { build, furnishWithInstruments, like, list, person } from '../../support/strategies.ts';
import type { Upstream } from '../../support/upstream.ts';

const SECOND = 1000;
const DAY = 24 * 3_600_000;
const NEW_PASSWORD = 'a password of the owner';

const hub = await openHub(furnishWithInstruments);
const environment = { ...process.env };
let ses: Upstream;
beforeAll(async () => {
  ses = await startSes();
});
beforeEach(async () => {
  hub.advance(SECOND);
  await deliverMails(hub, ses);
  hub.advance(SECOND);
});
afterAll(async () => {
  process.env = environment;
  await ses.close();
});

interface Entered {
  readonly user_id: string;
  readonly email: string;
  readonly access_token: string;
}

/** Registers somebody's e-mail and signs in. */
const stranger = async (more: Parameters<typeof registerUnproven>[1] = {}): Promise<Entered> => {
  const { body } = await registerUnproven(hub, more);
  return (await login(hub, body.email)).body;
};

const as = ({ user_id, access_token }: Entered, request: Request = {}): Request => ({
  ...request,
  query: { user_id, ...Object.fromEntries(Object.entries(request.query ?? {})) },
  headers: bearer(access_token),
});

const resultOf = ({ status, body }: Response) => [status, body.code];

const confirm = (who: Entered, code: string | undefined) =>
  hub.call('POST /confirm_email', as(who, { json: { code: code ?? 'none' } }));
const sendAgain = (who: Entered) => hub.call('POST /send_email_confirmation', as(who));
const byLink = (json: object) => hub.call('POST /confirm_email_link', { json });
const isVerified = async ({ email }: Entered, password = PASSWORD): Promise<boolean> =>
  (await login(hub, email, password)).body.email_verified;

/** Lets the outbox do the work that a proof or a reset leaves to it, and returns the mails to an address. */
const settle = async (email: string): Promise<string[]> => {
  await settleSecured(hub);
  expect((await outbox(hub)).map(({ message }) => message?.kind)).not.toContain('account_secured');
  return mailsTo(email);
};

const mailsTo = async (email: string): Promise<string[]> =>
  (await deliverMails(hub, ses))
    .filter(({ Destination }) => Destination.ToAddresses.includes(email))
    .map(({ Content }) => Content.Simple.Body.Text.Data);

/** Returns the address and the token of the link in the mail of a registration. */
const linkFor = async (email: string): Promise<{ email: string; token: string }> => {
  const [text = ''] = await mailsTo(email);
  const [, query] = /console#\/confirm\?(\S+)/.exec(text) ?? [];
  const link = new URLSearchParams(query);
  return { email: link.get('email') ?? '', token: link.get('token') ?? '' };
};

const deploymentOf = async (who: Entered) => {
  const { keygen, strategy_id } = (await build(hub, { user_id: who.user_id })).body;
  const deployed = await hub.call('POST /deploy_notification_strategy', { query: { keygen } });
  return { keygen, strategy_id, deployment_id: String(deployed.body.deployment_id) };
};

const statusOf = async ({ user_id }: Entered, deployment_id: string): Promise<string> =>
  (await hub.call('GET /get_deployment', { query: { user_id, deployment_id } })).body.status;

describe('a registration', () => {
  test('mails a code and a link at once, and keeps neither in the table', async () => {
    const { body } = await registerUnproven(hub);
    expect(body.email_verified).toBe(false);
    const code = await sentCode(hub, body.email, 'email_proof');
    expect(code).toMatch(/^[1-9]\d{7}$/);
    const table = await hub.tableText();
    const [text = '', ...more] = await mailsTo(body.email);
    expect(more).toEqual([]);
    expect(text).toContain(`Your code is ${code}.`);
    const [, token = ''] = /token=(\S+)/.exec(text) ?? [];
    expect(text).toContain(
      `https://hub.example/console#/confirm?${new URLSearchParams({ email: body.email, token })}`,
    );
    expect(table).not.toContain(token);
    expect(table).not.toContain(String(code));
  });
});

describe('an unproven account', () => {
  const REFUSED: readonly (readonly [string, (made: { strategy_id: string; keygen: string }) => Request])[] =
    [
      ['POST /register_webhook', () => ({ json: { url: 'https://example.com/hook' } })],
      ['POST /create_signal_hook', () => ({ query: { deployment_id: '1' } })],
      [
        'POST /connect_execution',
        () => ({
          json: { adapter: 'alpaca', environment: 'live', key_id: 'a'.repeat(20), secret: 'b'.repeat(20) },
        }),
      ],
      ['POST /partnerc_connect', () => ({ query: { connection_id: 'c' } })],
      ['POST /publish_explore_strategy', ({ strategy_id }) => ({ query: { strategy_id } })],
      [
        'POST /profile_publish_strategy',
        ({ strategy_id }) => ({ query: { strategy_id, publish_state: '1' } }),
      ],
      ['POST /confirm_broker', () => ({ query: { broker_domain: 'north' } })],
      [
        'POST /deploy_live_strategy',
        ({ keygen }) => ({ query: { keygen }, form: { mode: 'live', starting_capital: '1000' } }),
      ],
    ];

  test.each(REFUSED)('is refused %s, with the way out', async (routeKey, request) => {
    const who = await stranger();
    const { body: made } = await build(hub, { user_id: who.user_id });
    const named = { strategy_id: String(made.strategy_id), keygen: made.keygen };
    const sent = as(who, request(named));
    const refused = await hub.call(routeKey, sent);
    expect(resultOf(refused)).toEqual([403, 'email_unproven']);
    expect(refused.body.detail).toContain('/confirm_email');
    expect(refused.body.detail).toContain('p***@example.com');
    expect(refused.text).not.toContain(who.email);
    await prove(hub, who.user_id);
    expect((await hub.call(routeKey, sent)).body.code).not.toBe('email_unproven');
  });

  test('is refused with its user_id alone, too, at no further call', async () => {
    const { body } = await registerUnproven(hub);
    const { strategy_id } = (await build(hub, { user_id: body.user_id })).body;
    const publish = () =>
      hub.call('POST /publish_explore_strategy', {
        query: { user_id: body.user_id, strategy_id: String(strategy_id) },
      });
    expect(resultOf(await publish())).toEqual([403, 'email_unproven']);
    await prove(hub, body.user_id);
    expect((await publish()).status).toBe(200);
    const withdraw = { user_id: body.user_id, strategy_id: String(strategy_id), publish_state: '0' };
    expect((await hub.call('POST /profile_publish_strategy', { query: withdraw })).status).toBe(200);
  });

  test('builds, trades on paper, is notified in the app, and makes a platform token', async () => {
    const who = await stranger();
    const { deployment_id, keygen } = await deploymentOf(who);
    expect(await statusOf(who, deployment_id)).toBe('requested');
    const form = { mode: 'virtual', starting_capital: '1000' };
    expect((await hub.call('POST /deploy_live_strategy', { query: { keygen }, form })).status).toBe(200);
    expect((await hub.call('POST /generate_token', as(who))).status).toBe(200);
    expect((await registerDevice(hub, who.user_id, 'phone')).status).toBe(200);
  });
});

describe('a link with a new password', () => {
  test('ends at once what a stranger made in the account, and the rest in the background', async () => {
    const victim = freshEmail();
    const author = await person(hub);
    const { strategy_id: liked } = (await build(hub, { user_id: author.user_id })).body;
    await list(hub, author.user_id, liked);
    const thief = await stranger({ email: victim, ph_number: '+14155552671' });
    const link = await linkFor(victim);
    const platform = (await hub.call('POST /generate_token', as(thief))).body;
    await registerDevice(hub, thief.user_id, 'phone-of-the-thief');
    const { deployment_id, keygen, strategy_id } = await deploymentOf(thief);
    await like(hub, thief.user_id, liked);
    hub.advance(SECOND);

    expect((await byLink({ ...link, new_password: NEW_PASSWORD })).body).toEqual({ email_verified: true });
    expect((await login(hub, victim)).status).toBe(401);
    for (const token of [thief.access_token, platform.token]) {
      const read = await hub.call('GET /get_sessions', as({ ...thief, access_token: token }));
      expect(resultOf(read)).toEqual([401, 'session_invalid']);
    }
    const again = await hub.call('POST /deploy_notification_strategy', { query: { keygen } });
    expect(resultOf(again)).toEqual([404, 'strategy_unknown']);
    expect(await devicesOf(hub, thief.user_id)).toEqual([]);
    const owner = (await login(hub, victim, NEW_PASSWORD)).body;
    expect(owner).toMatchObject({ email_verified: true, ph_number: null, ph_verified: false });

    const [mail = ''] = await settle(victim);
    expect(mail).toContain(
      'All sessions, the platform token, API keys and all devices for push messages have ended.',
    );
    expect(mail).toContain('Nothing else acts for you.');
    expect(['stopped', 'stopping']).toContain(await statusOf(owner, deployment_id));
    expect((await hub.call('GET /get_explore_strategy_favourites', as(owner))).body).toEqual([]);
    const own = (await hub.call('GET /get_strategies_by_user', as(owner))).body.items[0];
    expect(own).toMatchObject({ strategy_id });
    expect(own.keygen).not.toBe(keygen);
    expect(
      (await hub.call('POST /deploy_notification_strategy', { query: { keygen: own.keygen } })).status,
    ).toBe(200);
  });

  test('overtakes requests of the stranger: no device is registered, and nothing is deployed', async () => {
    const thief = await stranger();
    const link = await linkFor(thief.email);
    const { store } = hub.runtime;
    /** Lets the owner prove the e-mail between what a request reads and what it writes. */
    const overtaken = async (request: () => Promise<Response>): Promise<Response> => {
      const spy = jest.spyOn(store, 'transact').mockImplementationOnce(async (writes) => {
        expect((await byLink({ ...link, new_password: NEW_PASSWORD })).status).toBe(200);
        return store.transact(writes);
      });
      try {
        return await request();
      } finally {
        spy.mockRestore();
      }
    };
    const registered = await overtaken(() =>
      hub.call('POST /register_push_token', as(thief, { query: { push_key: 'phone-of-the-thief' } })),
    );
    expect(resultOf(registered)).toEqual([401, 'session_invalid']);
    expect(await devicesOf(hub, thief.user_id)).toEqual([]);

    const other = await stranger();
    Object.assign(link, await linkFor(other.email));
    const { keygen } = (await build(hub, { user_id: other.user_id })).body;
    hub.advance(SECOND);
    const deployed = await overtaken(() =>
      hub.call('POST /deploy_notification_strategy', { query: { keygen } }),
    );
    expect(resultOf(deployed)).toEqual([404, 'strategy_unknown']);
  });

  test('works once, for three days, and not after another proof', async () => {
    const first = await stranger();
    const link = await linkFor(first.email);
    expect((await byLink({ ...link, new_password: NEW_PASSWORD })).status).toBe(200);
    expect(resultOf(await byLink({ ...link, new_password: 'yet another one' }))).toEqual([
      401,
      'code_invalid',
    ]);
    const second = await stranger();
    const stale = await linkFor(second.email);
    const proven = await stranger();
    const spent = await linkFor(proven.email);
    await confirm(proven, await sentCodeOf(proven));
    expect(resultOf(await byLink({ ...spent, new_password: NEW_PASSWORD }))).toEqual([401, 'code_invalid']);
    hub.advance(3 * DAY);
    expect(resultOf(await byLink({ ...stale, new_password: NEW_PASSWORD }))).toEqual([401, 'code_invalid']);
  });

  test('of another account, a forged one, and one for an unknown e-mail are refused alike', async () => {
    const [one, other] = [await stranger(), await stranger()];
    const { token } = await linkFor(one.email);
    const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    const tried = [
      { email: other.email, token },
      { email: one.email, token: forged },
      { email: freshEmail(), token },
      { email: one.email, token: '' },
    ];
    for (const link of tried) {
      expect(resultOf(await byLink({ ...link, new_password: NEW_PASSWORD }))).toEqual([401, 'code_invalid']);
      expect(resultOf(await byLink({ ...link, password: PASSWORD }))).toEqual([401, 'code_invalid']);
    }
    expect(await isVerified(one)).toBe(false);
  });
});

/** Returns the code that the last mail to somebody had; asks for the mail if it has left. */
const sentCodeOf = async (who: Entered): Promise<string | undefined> => {
  hub.advance(31 * SECOND);
  await sendAgain(who);
  return sentCode(hub, who.email, 'email_proof');
};

describe('a link with the password of the account', () => {
  test('proves the e-mail, and ends nothing', async () => {
    const who = await stranger();
    const link = await linkFor(who.email);
    const { deployment_id, keygen } = await deploymentOf(who);
    await registerDevice(hub, who.user_id, 'phone');
    expect(resultOf(await byLink({ ...link, password: 'wrong password' }))).toEqual([
      401,
      'credentials_invalid',
    ]);
    expect(await isVerified(who)).toBe(false);
    expect((await byLink({ ...link, password: PASSWORD })).status).toBe(200);
    expect(await isVerified(who)).toBe(true);
    expect((await hub.call('GET /get_sessions', as(who))).status).toBe(200);
    expect((await settle(who.email)).join('')).toContain(
      'Your e-mail is confirmed.\nThis goes on:\n- 1 × deployment',
    );
    expect(await statusOf(who, deployment_id)).toBe('requested');
    expect(await devicesOf(hub, who.user_id)).toEqual(['phone']);
    expect((await hub.call('POST /deploy_notification_strategy', { query: { keygen } })).status).toBe(200);
  });

  test('counts wrong passwords like a sign-in', async () => {
    const who = await stranger();
    const link = await linkFor(who.email);
    for (let n = 0; n < 5; n++) await byLink({ ...link, password: `guess ${n}` });
    expect(resultOf(await byLink({ ...link, password: PASSWORD }))).toEqual([429, 'too_many_attempts']);
    // Guesses of others keep nobody from the account.
    expect((await byLink({ ...link, new_password: NEW_PASSWORD })).status).toBe(200);
  });

  test.each([{}, { password: PASSWORD, new_password: NEW_PASSWORD }])(
    'needs one of both: %j',
    async (more) => {
      const refused = await byLink({ email: freshEmail(), token: 't', ...more });
      expect(refused.status).toBe(422);
    },
  );
});

describe('a code', () => {
  test('proves the session that registered, and what it made goes on', async () => {
    const email = freshEmail();
    const form = { email, password: PASSWORD };
    const who: Entered = (await hub.call('POST /register_login', { form })).body;
    const { deployment_id, keygen } = await deploymentOf(who);
    await registerDevice(hub, who.user_id, 'phone');
    const other = (await login(hub, email)).body;
    hub.advance(SECOND);
    expect((await confirm(who, await sentCode(hub, email, 'email_proof'))).body).toEqual({
      email_verified: true,
    });
    expect((await hub.call('GET /get_sessions', as(who))).status).toBe(200);
    expect((await hub.call('GET /get_sessions', as(other))).status).toBe(401);
    await settle(email);
    expect(await statusOf(who, deployment_id)).toBe('requested');
    expect(await devicesOf(hub, who.user_id)).toEqual(['phone']);
    expect((await hub.call('POST /deploy_notification_strategy', { query: { keygen } })).status).toBe(200);
    expect((await confirm(who, 'again')).status).toBe(200);
  });

  test('in a later session ends what was made before that', async () => {
    const first = await stranger();
    const { deployment_id, keygen } = await deploymentOf(first);
    await registerDevice(hub, first.user_id, 'phone');
    hub.advance(2 * SECOND);
    const later = (await login(hub, first.email)).body;
    await confirm(later, await sentCodeOf(later));
    expect((await hub.call('GET /get_sessions', as(first))).status).toBe(401);
    expect(resultOf(await hub.call('POST /deploy_notification_strategy', { query: { keygen } }))).toEqual([
      404,
      'strategy_unknown',
    ]);
    expect(await devicesOf(hub, first.user_id)).toEqual([]);
    await settle(first.email);
    expect(['stopped', 'stopping']).toContain(await statusOf(later, deployment_id));
  });

  test('ends after five wrong ones, sent again or not', async () => {
    const who = await stranger();
    const code = await sentCodeOf(who);
    for (let round = 0; round < 4; round++) {
      for (let n = 0; n < 6; n++) expect((await confirm(who, `1000000${n}`)).status).toBe(401);
      expect(await sentCodeOf(who)).toBe(code);
      expect(resultOf(await confirm(who, code))).toEqual([401, 'code_invalid']);
    }
    hub.advance(3_600_000);
    const later = (await login(hub, who.email)).body;
    expect((await confirm(later, await sentCodeOf(later))).status).toBe(200);
  });

  test('for a password proves no session, and a platform token or a user_id enters none', async () => {
    const who = await stranger();
    await hub.call('POST /send_otp_password_reset', { query: { email: who.email } });
    expect((await confirm(who, await sentCode(hub, who.email))).status).toBe(401);
    const { token } = (await hub.call('POST /generate_token', as(who))).body;
    const code = await sentCodeOf(who);
    expect(resultOf(await confirm({ ...who, access_token: token }, code))).toEqual([
      403,
      'platform_token_insufficient',
    ]);
    const bare = { query: { user_id: who.user_id }, json: { code } };
    expect(resultOf(await hub.call('POST /confirm_email', bare))).toEqual([401, 'session_required']);
  });

  test('is sent again to the masked address, at most every 30 seconds', async () => {
    const who = await stranger();
    hub.advance(31 * SECOND);
    expect((await sendAgain(who)).body).toEqual({
      email_verified: false,
      sent_to: 'p***@example.com',
      expires_in: 600,
    });
    expect(resultOf(await sendAgain(who))).toEqual([429, 'too_many_codes']);
    await prove(hub, who.user_id);
    expect((await sendAgain(who)).body).toEqual({ email_verified: true, sent_to: null, expires_in: null });
  });

  test('goes to no address that complained about the mail of a stranger', async () => {
    const who = await stranger();
    await mailsTo(who.email);
    hub.advance(31 * SECOND);
    await takeFeedback(hub.runtime, {
      'detail-type': 'Email Complaint Received',
      detail: {
        mail: { timestamp: hub.runtime.clock().toISOString() },
        complaint: { complainedRecipients: [{ emailAddress: who.email }] },
      },
    });
    await sendAgain(who);
    await hub.call('POST /send_otp_password_reset', {
      query: { email: who.email },
      headers: bearer(who.access_token),
    });
    expect(await mailsTo(who.email)).toEqual([]);
  });
});

describe('a password reset', () => {
  const reset = async (email: string) => {
    await hub.call('POST /send_otp_password_reset', { query: { email } });
    const otp = (await sentCode(hub, email)) ?? '';
    hub.takeCalls();
    const answer = await hub.call('POST /reset_password', {
      query: { email, new_password: NEW_PASSWORD, otp },
    });
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    return answer;
  };

  test('of an unproven account ends what was made before, as the link does', async () => {
    const thief = await stranger();
    const { deployment_id, keygen } = await deploymentOf(thief);
    hub.advance(SECOND);
    expect((await reset(thief.email)).status).toBe(200);
    expect((await hub.call('POST /deploy_notification_strategy', { query: { keygen } })).status).toBe(404);
    await settle(thief.email);
    const owner = (await login(hub, thief.email, NEW_PASSWORD)).body;
    expect(['stopped', 'stopping']).toContain(await statusOf(owner, deployment_id));
  });

  test('of a proven account ends sessions and tokens, and mails what goes on', async () => {
    const { email } = (await register(hub)).body;
    const owner: Entered = (await login(hub, email)).body;
    const { deployment_id, keygen } = await deploymentOf(owner);
    await hub.call('POST /create_signal_hook', as(owner, { query: { deployment_id } }));
    const endpoint = {
      endpoint_id: 'endpoint',
      description: 'Desk',
      events: [],
      status: 'enabled' as const,
      created_at: hub.runtime.clock().toISOString(),
    };
    await hub.runtime.store.transact([endpointsWrite(undefined, { user_id: owner.user_id }, [endpoint])]);
    await deliverMails(hub, ses);
    expect((await reset(email)).status).toBe(200);
    expect((await hub.call('GET /get_sessions', as(owner))).status).toBe(401);
    const mails = await settle(email);
    const text = mails.find((one) => one.includes('This goes on:'));
    for (const line of ['- 1 × webhook', '- 1 × address for signals', '- 1 × deployment']) {
      expect(text).toContain(line);
    }
    expect((await hub.call('POST /deploy_notification_strategy', { query: { keygen } })).status).toBe(200);
    expect(await statusOf(owner, deployment_id)).toBe('active');
  });
});

describe('what acts for a user', () => {
  test('is listed, and ended by one request', async () => {
    const { body } = await register(hub, { broker_domain: 'north' });
    const owner: Entered = (await login(hub, body.email)).body;
    const { deployment_id } = await deploymentOf(owner);
    await hub.call('POST /create_signal_hook', as(owner, { query: { deployment_id } }));
    const endpoint = {
      endpoint_id: `endpoint-${owner.user_id}`,
      description: 'Desk',
      events: [],
      status: 'enabled' as const,
      created_at: hub.runtime.clock().toISOString(),
    };
    await hub.runtime.store.transact([endpointsWrite(undefined, { user_id: owner.user_id }, [endpoint])]);
    const { token } = (await hub.call('POST /generate_token', as(owner))).body;
    const listed = (await hub.call('GET /get_grants', as(owner))).body.grants;
    expect(listed.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual([
      'broker',
      'deployment',
      'signal_address',
      'webhook',
    ]);
    hub.advance(SECOND);
    expect((await hub.call('POST /end_grants', as(owner))).body.ended).toEqual(listed);
    expect((await hub.call('GET /get_sessions', as(owner))).status).toBe(200);
    expect((await hub.call('GET /get_sessions', as({ ...owner, access_token: token }))).status).toBe(401);
    const left = (await hub.call('GET /get_grants', as(owner))).body.grants;
    expect(left.map(({ kind }: { kind: string }) => kind)).toEqual(['deployment']);
    const again = await deploymentOf(owner);
    const mails = await settle(owner.email);
    expect(mails.join('\n')).toContain('You ended API keys, webhooks');
    expect(['stopped', 'stopping']).toContain(await statusOf(owner, deployment_id));
    // Made after the request.
    expect(await statusOf(owner, again.deployment_id)).toBe('requested');
  });
});

describe('a link to a broker', () => {
  test('that only a registration names is pending until the owner confirms it', async () => {
    const desk = await approvedBroker(hub);
    const { body } = await registerUnprovenAtBroker(hub, desk.subdomain);
    expect(body.brokers).toMatchObject([{ broker_domain: desk.subdomain, connected: true, pending: true }]);
    const read = async () =>
      (
        await readAs(hub, await accessOf(hub, desk), 'GET /broker/get_user_strategies', {
          user_email: body.email,
        })
      ).status;
    expect(await read()).toBe(404);
    const owner: Entered = (await login(hub, body.email)).body;
    await confirm(owner, await sentCodeOf(owner));
    expect(await read()).toBe(404);
    const confirmed = await hub.call(
      'POST /confirm_broker',
      as(owner, { query: { broker_domain: desk.subdomain } }),
    );
    expect(confirmed.status).toBe(200);
    expect(await read()).toBe(200);
    const again = await hub.call(
      'POST /confirm_broker',
      as(owner, { query: { broker_domain: desk.subdomain } }),
    );
    expect(again.body).toEqual(confirmed.body);
    const unknown = await hub.call(
      'POST /confirm_broker',
      as(owner, { query: { broker_domain: 'nowhere' } }),
    );
    expect(resultOf(unknown)).toEqual([404, 'broker_unknown']);
  });

  test('is readable at once if an approved broker vouches with a token, which proves the e-mail', async () => {
    const desk = await approvedBroker(hub);
    const partner_token = await tokenOf(hub, desk, 'ACCOUNT-1');
    const { body } = await registerUnprovenAtBroker(hub, desk.subdomain, { partner_token });
    expect(body).toMatchObject({ email_verified: true, brokers: [{ pending: false }] });
    expect(await mailsTo(body.email)).toEqual([]);
    const stranger = await broker(hub);
    const theirs = await tokenOf(hub, stranger, 'ACCOUNT-1');
    const { body: other } = await registerUnprovenAtBroker(hub, stranger.subdomain, {
      partner_token: theirs,
    });
    expect(other).toMatchObject({ email_verified: false, brokers: [{ pending: true }] });
  });
});
