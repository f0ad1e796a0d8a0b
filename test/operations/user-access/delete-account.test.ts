import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keys } from '../../../shared/data/table/keys.ts';
import { findDeletion } from '../../../shared/data/user-data/deletions.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { importOwnCandles } from '../../support/own-candles.ts';
import { bearer, login, outbox, PASSWORD, register, sentCode, signUp } from '../../support/people.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, report, reportOrder, undeployTrading } from '../../support/trading.ts';

const MINUTE = 60_000;

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub);
});
afterAll(() => hub.close());

interface Person {
  readonly user_id: string;
  readonly email: string;
  readonly access_token: string;
}

const join = async (): Promise<Person> => (await signUp(hub)).body;

const ask = (
  { user_id, email, access_token }: Person,
  proof: object = { password: PASSWORD },
  headers: Readonly<Record<string, string>> = bearer(access_token),
) => hub.call('POST /delete_account', { query: { user_id }, json: { email, ...proof }, headers });

const minutes = async (count: number): Promise<void> => {
  for (let minute = 0; minute < count; minute++) {
    await runJob(hub.runtime, { job: 'delete-accounts' });
    hub.advance(MINUTE);
  }
};

describe('deleting an account', () => {
  test('ends the sessions at once, then removes the user and frees the e-mail', async () => {
    const person = await join();
    const { body: elsewhere } = await login(hub, person.email);
    expect((await importOwnCandles(hub, person.user_id, { symbol: 'AAPL' })).status).toBe(200);
    const { status, body } = await ask(person);
    expect([status, body]).toEqual([
      200,
      { deletion_id: expect.any(String), requested_at: expect.any(String) },
    ]);
    const verified = async ({ access_token }: Pick<Person, 'access_token'>) =>
      (await hub.call('POST /verify_user', { headers: bearer(access_token) })).status;
    expect([await verified(elsewhere), await verified(person)]).toEqual([401, 200]);
    const mails = (await outbox(hub)).map(({ message }) => message);
    expect(mails).toContainEqual(expect.objectContaining({ kind: 'notification_mail', to: person.email }));
    await minutes(3);
    expect(await hub.runtime.store.getMany([keys.user(person.user_id)])).toEqual([undefined]);
    expect(await verified(person)).toBe(401);
    // The e-mail waits until nothing of the user is left.
    expect((await login(hub, person.email)).status).toBe(401);
    expect((await register(hub, { email: person.email })).status).toBe(409);
    await minutes(5);
    expect(await hub.tableText()).not.toContain(person.user_id);
    const deletion = await findDeletion(hub.runtime.store, body.deletion_id);
    expect([deletion?.finished_at, deletion?.account]).toEqual([expect.any(String), undefined]);
    expect((await signUp(hub, { email: person.email })).status).toBe(200);
  });

  test('takes a mailed code instead of the password', async () => {
    const person = await join();
    await hub.call('POST /send_otp_password_reset', { query: { email: person.email } });
    const code = Number(await sentCode(hub, person.email));
    expect((await ask(person, { otp: code === 999_999 ? code - 1 : code + 1 })).body.code).toBe(
      'code_invalid',
    );
    expect((await ask(person, { otp: code })).status).toBe(200);
  });

  test('answers a caller without a session alike, whether the user exists', async () => {
    const { user_id } = await join();
    for (const id of [user_id, 'no-such-user']) {
      const { status } = await hub.call('POST /delete_account', {
        query: { user_id: id },
        json: { email: 'a.person@example.com' },
      });
      expect(status).toBe(401);
    }
  });

  test('needs the session of the user, who is no program, and a proof', async () => {
    const person = await join();
    const other = await join();
    const { body } = await hub.call('POST /generate_token', {
      query: { user_id: person.user_id },
      headers: bearer(person.access_token),
    });
    const refusals = [
      await ask(person, undefined, {}),
      await ask(person, undefined, bearer(body.token)),
      await ask(person, undefined, bearer(other.access_token)),
      await ask(person, { password: 'a wrong one' }),
      await ask(person, { email: other.email, password: PASSWORD }),
    ];
    expect(refusals.map(({ body: { code } }) => code)).toEqual([
      'session_required',
      'platform_token_insufficient',
      'session_mismatch',
      'credentials_invalid',
      'credentials_invalid',
    ]);
    expect((await ask(person, {})).status).toBe(422);
    await minutes(5);
    expect((await login(hub, person.email)).status).toBe(200);
    // Wrong passwords count as at a sign-in.
    for (let attempt = 0; attempt < 5; attempt++) await ask(person, { password: 'a wrong one' });
    expect((await ask(person)).status).toBe(429);
  });

  test('is refused while real orders are there, and waits for them if they come later', async () => {
    const person = await join();
    const { body: strategy } = await build(hub, { user_id: person.user_id });
    const { body: deployed } = await deployTrading(hub, strategy.keygen);
    const key = keys.deployment(deployed.deployment_id);
    await hub.runtime.store.transact([{ key, set: { mode: 'live' } }]);
    await report(hub, 'Deployment Started', deployed.deployment_id);
    await reportOrder(hub, deployed.deployment_id, { client_order_id: 'held' });
    expect((await ask(person)).body.code).toBe('state_conflict');
    // No way to learn whether a password is right.
    expect((await ask(person, { password: 'a guess' })).body.code).toBe('state_conflict');
    await undeployTrading(hub, person.user_id, deployed.deployment_id);
    await report(hub, 'Deployment Stopped', deployed.deployment_id, { stop_reason: 'user' });
    expect((await ask(person)).body.code).toBe('state_conflict');
    await reportOrder(hub, deployed.deployment_id, { client_order_id: 'closed', side: 'sell' });
    const { status, body } = await ask(person);
    expect(status).toBe(200);
    // A late report opens a position at the broker.
    await reportOrder(hub, deployed.deployment_id, { client_order_id: 'late' });
    await minutes(30);
    expect(await findDeletion(hub.runtime.store, body.deletion_id)).toMatchObject({
      stage: 'stopping',
      waits_for: 'real orders or positions',
    });
    await reportOrder(hub, deployed.deployment_id, { client_order_id: 'late close', side: 'sell' });
    await minutes(20);
    expect(await hub.tableText()).not.toContain(person.user_id);
  });

  test('deploys nothing meanwhile, and begins once', async () => {
    const person = await join();
    const { body: strategy } = await build(hub, { user_id: person.user_id });
    const { status, body } = await ask(person);
    expect(status).toBe(200);
    expect((await deployTrading(hub, strategy.keygen)).status).toBe(404);
    expect((await ask(person)).body).toEqual(body);
  });
});
