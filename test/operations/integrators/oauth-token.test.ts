import { beforeEach, describe, expect, test } from '@jest/globals';
import { riskGrantWrite, suspensionWrite } from '../../../shared/data/brokers/broker-changes.ts';
import { askForToken, broker, createBroker, handshake, type TestBroker } from '../../support/brokers.ts';
import { accessOf, askForAccess, authorizerOf, basic } from '../../support/integrators.ts';
import { openHub } from '../../support/open-hub.ts';
import { BROKER, bearer, furnish } from '../../support/people.ts';

const DAY = 24 * 3_600_000;
const GRANT = { grant_type: 'client_credentials' };

const hub = await openHub(furnish);
let desk: TestBroker;
beforeEach(async () => {
  hub.advance(3_600_000);
  desk = await broker(hub);
});

const suspend = (since: Date | undefined) =>
  hub.runtime.store.transact([suspensionWrite(desk.subdomain, since)]);

describe('an access token', () => {
  test('is issued for guid and secret, by HTTP Basic or in the form, in one call', async () => {
    const ways = [
      { headers: basic(desk.guid, desk.secret), form: GRANT },
      { headers: basic(desk.guid, desk.secret), form: { ...GRANT, client_id: desk.guid } },
      { headers: {}, form: { ...GRANT, client_id: desk.guid, client_secret: desk.secret } },
      { headers: {}, form: { ...GRANT, client_id: desk.guid.toUpperCase(), client_secret: desk.secret } },
      {
        headers: basic(encodeURIComponent(desk.guid), desk.secret),
        form: { ...GRANT, scope: 'broker:read' },
      },
    ];
    for (const way of ways) {
      hub.takeCalls();
      const { status, body, headers } = await askForAccess(hub, desk, way);
      expect(hub.takeCalls()).toEqual(['BatchGetItem']);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          access_token: expect.any(String),
          token_type: 'Bearer',
          expires_in: 3600,
          scope: 'broker:read',
        },
      });
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'no-store',
        pragma: 'no-cache',
      });
      expect(await authorizerOf(hub)(body.access_token)).toMatchObject({
        context: { broker: desk.subdomain },
      });
    }
  });

  test('has the scope broker:risk if an operator granted it to the broker', async () => {
    const asked = { form: { ...GRANT, scope: 'broker:risk broker:read' } };
    expect(await askForAccess(hub, desk, asked)).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    });
    await hub.runtime.store.transact([riskGrantWrite(desk.subdomain, new Date())]);
    expect((await askForAccess(hub, desk)).body.scope).toBe('broker:read');
    for (const form of [asked.form, { ...GRANT, scope: 'broker:risk' }]) {
      const { status, body } = await askForAccess(hub, desk, { form });
      expect([status, body.scope]).toEqual([200, 'broker:read broker:risk']);
      expect(await authorizerOf(hub)(body.access_token)).toMatchObject({
        context: { broker: desk.subdomain, scope: 'broker:read broker:risk' },
      });
    }
    await hub.runtime.store.transact([riskGrantWrite(desk.subdomain, undefined)]);
    expect((await askForAccess(hub, desk, asked)).status).toBe(400);
  });

  test('ends after an hour', async () => {
    const token = await accessOf(hub, desk);
    hub.advance(3_599_000);
    expect(await authorizerOf(hub)(token)).toMatchObject({ isAuthorized: true });
    hub.advance(1_000);
    expect(await authorizerOf(hub)(token)).toEqual({ isAuthorized: false });
  });

  test.each(
    Object.entries({
      'no grant': [{ form: {} }, 400, 'invalid_request'],
      'another grant': [{ form: { grant_type: 'password' } }, 400, 'unsupported_grant_type'],
      'another scope': [{ form: { ...GRANT, scope: 'broker:write' } }, 400, 'invalid_scope'],
      'a further scope': [{ form: { ...GRANT, scope: 'broker:read openid' } }, 400, 'invalid_scope'],
      'two secrets': [{ form: { ...GRANT, client_secret: 'x' } }, 400, 'invalid_request'],
      'two clients': [{ form: { ...GRANT, client_id: 'another' } }, 400, 'invalid_request'],
      'no client': [{ headers: {} }, 401, 'invalid_client'],
      'half a client': [{ headers: {}, form: { ...GRANT, client_id: 'x' } }, 401, 'invalid_client'],
      'a bearer': [{ headers: bearer('x') }, 401, 'invalid_client'],
      'a header that is no base64': [{ headers: { authorization: 'Basic ***' } }, 401, 'invalid_client'],
      'a header without a colon': [{ headers: { authorization: 'Basic YQ==' } }, 401, 'invalid_client'],
      'a stray percent sign': [{ headers: basic('%', '%') }, 401, 'invalid_client'],
      'a JSON body': [{ json: GRANT }, 400, 'invalid_request'],
      'a body without a type': [{ body: 'grant_type=client_credentials' }, 400, 'invalid_request'],
    } as const),
  )('is refused to %s', async (_, [request, status, error]) => {
    const answer = await hub.call('POST /oauth/token', {
      headers: basic(desk.guid, desk.secret),
      ...('json' in request || 'body' in request ? {} : { form: GRANT }),
      ...request,
    });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status,
      body: { error, error_description: expect.stringMatching(/\.$/) },
    });
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'application/json' });
    expect(answer.headers['www-authenticate']).toBe(
      status === 401 ? 'Basic realm="strategy-hub"' : undefined,
    );
  });
});

describe('a wrong client', () => {
  const cases = async (): Promise<Record<string, { guid: string; secret: string }>> => {
    const other = await broker(hub);
    return {
      'the guid of nobody': { guid: 'nobody', secret: desk.secret },
      'another broker’s secret': { guid: desk.guid, secret: other.secret },
      'another broker’s guid': { guid: other.guid, secret: desk.secret },
      'a secret that was never made': { guid: desk.guid, secret: `${desk.secret.slice(0, -3)}AAA` },
      'a secret with something behind it': { guid: desk.guid, secret: `${desk.secret}A` },
      'a secret of no form': { guid: desk.guid, secret: 'secret' },
      'an empty secret': { guid: desk.guid, secret: '' },
      'a very long secret': { guid: desk.guid, secret: 'x'.repeat(100_000) },
      'the sub-domain for guid': { guid: desk.subdomain, secret: desk.secret },
      'a broker without a secret': {
        guid: BROKER.subdomain,
        secret: `hub_bs.${BROKER.subdomain}.${'A'.repeat(43)}`,
      },
    };
  };

  test('gets the same answer with the same calls for every error', async () => {
    const answers: unknown[] = [];
    for (const client of Object.values(await cases())) {
      hub.takeCalls();
      const { status, text, headers } = await askForAccess(hub, client);
      answers.push({ status, text, headers, calls: hub.takeCalls() });
    }
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(answers[0]).toMatchObject({
      status: 401,
      text: expect.stringContaining('"invalid_client"'),
      calls: ['BatchGetItem', 'UpdateItem'],
    });
  });

  test('has to wait after ten failures at its address; other addresses of the broker do not', async () => {
    const wrong = { guid: desk.guid, secret: 'wrong' };
    for (let n = 0; n < 10; n++) expect((await askForAccess(hub, wrong)).status).toBe(401);
    hub.takeCalls();
    for (const secret of ['wrong', desk.secret]) {
      const { status, body, headers } = await askForAccess(hub, { guid: desk.guid, secret });
      expect({ status, error: body.error }).toEqual({ status: 429, error: 'invalid_client' });
      const wait = Number(headers['retry-after']);
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(900);
    }
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'BatchGetItem']);
    const elsewhere = { headers: basic(desk.guid, desk.secret), form: GRANT, sourceIp: '198.51.100.7' };
    expect((await askForAccess(hub, desk, elsewhere)).status).toBe(200);
    expect((await askForAccess(hub, await broker(hub))).status).toBe(200);
    hub.advance(900_000);
    expect((await askForAccess(hub, desk)).status).toBe(200);
  });

  test('leaves nothing in the log', async () => {
    hub.log.length = 0;
    await askForAccess(hub, { guid: desk.guid, secret: 'a-wrong-secret' });
    expect(JSON.stringify(hub.log)).not.toMatch(/a-wrong-secret|127\.0\.0\.1/);
    expect(JSON.stringify(hub.log)).not.toContain(desk.guid);
  });
});

describe('the life of an integrator', () => {
  test('after a rotation both secrets get tokens for a day; after two, the first one is refused', async () => {
    const { body: second } = await createBroker(hub, { broker_name: desk.broker_name }, desk.secret);
    expect(second.rotated).toBe(true);
    const status = async (secret: string) => (await askForAccess(hub, { guid: desk.guid, secret })).status;
    expect(await Promise.all([status(desk.secret), status(second.secret)])).toEqual([200, 200]);
    const { body: third } = await createBroker(hub, { broker_name: desk.broker_name }, second.secret);
    expect(await status(desk.secret)).toBe(401);
    expect(await status(second.secret)).toBe(200);
    hub.advance(DAY);
    expect(await status(second.secret)).toBe(401);
    expect(await status(third.secret)).toBe(200);
  });

  test('while it is suspended, its secret is refused; afterwards it is valid again', async () => {
    const ask = () => askForAccess(hub, desk);
    await suspend(hub.runtime.clock());
    const refused = await ask();
    expect({ status: refused.status, error: refused.body.error }).toEqual({
      status: 400,
      error: 'unauthorized_client',
    });
    // A caller without the secret does not learn of the suspension.
    expect((await askForAccess(hub, { ...desk, secret: 'wrong' })).body.error).toBe('invalid_client');
    const others = [
      await createBroker(hub, { broker_name: desk.broker_name }, desk.secret),
      await askForToken(hub, 'a', { account_id: '1' }, desk.secret),
      await askForToken(hub, 'b', { account_id: '1' }, desk.secret),
      await handshake(hub, {}, desk.secret),
    ];
    for (const { status, body } of others) {
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'broker_suspended' });
    }
    await suspend(undefined);
    expect((await ask()).status).toBe(200);
    expect((await askForToken(hub, 'a', { account_id: '1' }, desk.secret)).status).toBe(200);
  });

  test('an unknown broker cannot be suspended', async () => {
    const nobody = hub.runtime.store.transact([suspensionWrite('nobody', hub.runtime.clock())]);
    await expect(nobody).rejects.toThrow('a condition of a transaction failed');
  });
});
