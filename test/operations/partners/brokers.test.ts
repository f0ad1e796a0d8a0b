import { describe, expect, test } from '@jest/globals';
import { keys } from '../../../shared/data/table/keys.ts';
import { SHARED_MS } from '../../../shared/data/table/timed-memory.ts';
import { approve, askForToken, broker, createBroker, handshake } from '../../support/brokers.ts';
import { openHub } from '../../support/open-hub.ts';
import { BROKER, bearer, furnish } from '../../support/people.ts';

const HOUR = 3_600_000;

const hub = await openHub(furnish);

const isAccepted = async (secret: string): Promise<boolean> =>
  (await askForToken(hub, 'a', {}, secret)).body.verified === true;

describe('a white-label broker', () => {
  test('is registered under a sub-domain derived from its name, with a guid and a secret', async () => {
    const { status, body } = await createBroker(hub, {
      broker_name: 'Ünion & Söhne',
      website: 'https://union.example',
      logo_url: 'https://union.example/logo.svg',
      accent_color: '#0b7285',
    });
    expect([status, body.subdomain, body.rotated]).toEqual([200, 'union-sohne', false]);
    expect(body.guid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.isSafeInteger(body.broker_id)).toBe(true);
    expect(body.secret).toMatch(/^hub_bs\.union-sohne\.[\w-]{43}$/);
    expect(await isAccepted(body.secret)).toBe(true);
  });

  test('is one of 20 that a network registers in an hour; its own are renewed all the same', async () => {
    const sourceIp = '198.51.100.3';
    const ask = (broker_name: string, ip: string, secret?: string) =>
      hub.call('POST /create_partnera_subdomain_secret', {
        query: { broker_name, email: 'desk@broker.example' },
        headers: secret === undefined ? {} : bearer(secret),
        sourceIp: ip,
      });
    const made = [];
    for (let index = 0; index < 21; index += 1) made.push(await ask(`Many Brokers ${index}`, sourceIp));
    expect(made.map(({ status }) => status)).toEqual([...Array(20).fill(200), 429]);
    expect((await ask('Many Brokers 20', '203.0.113.3')).status).toBe(200);
    expect((await ask('Many Brokers 0', sourceIp, made[0]?.body.secret)).body).toMatchObject({
      rotated: true,
    });
  });

  test('is stored without its secret', async () => {
    const { secret, subdomain } = await broker(hub);
    const [item] = await hub.runtime.store.getMany([keys.broker(subdomain)]);
    expect(item).toBeDefined();
    expect(JSON.stringify(item)).not.toContain(secret);
    expect(JSON.stringify(item)).not.toContain(secret.split('.')[2]);
  });

  test('cannot take the sub-domain or the guid of another one', async () => {
    const { body: first } = await createBroker(hub, { broker_name: 'First Come', guid: 'GUID-1' });
    const same = await createBroker(hub, { broker_name: 'first  come!' });
    expect([same.status, same.body.code]).toEqual([409, 'broker_taken']);
    expect((await createBroker(hub, { guid: 'guid-1' })).body.code).toBe('broker_taken');
    expect(await isAccepted(first.secret)).toBe(true);
  });

  test('is registered once by ten simultaneous requests with the same name', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => createBroker(hub, { broker_name: 'At Once' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  });

  test.each([
    ['a name without letters', { broker_name: '東京' }],
    ['a reserved name', { broker_name: 'Admin' }],
    ['a name of the catalogue', { broker_name: 'Pártner  A' }],
    ['a name that looks like a reserved one', { broker_name: 'Supp0rt' }],
    ['the name of the platform', { broker_app_name: 'Strategy Hυb' }],
    ['a hidden character', { broker_app_name: 'Harbour\u200b' }],
    ['letters of two scripts', { broker_app_name: 'Hаrbour' }],
    ['no e-mail', { email: 'desk' }],
    ['a logo that runs', { logo_url: 'javascript:alert(1)' }],
    ['a logo by plain HTTP', { logo_url: 'http://broker.example/logo.png' }],
    ['a guid with a colon', { guid: 'a:b' }],
    ['a colour that is none', { accent_color: 'red;}' }],
  ])('is refused with %s', async (_why, query) => {
    expect((await createBroker(hub, query)).status).toBe(422);
  });

  test('does not appear on the sign-in pages of others after registering', async () => {
    const made = await broker(hub);
    const { body } = await hub.call('GET /blloo');
    const listed = body.brokers.map(({ broker_domain }: { broker_domain: string }) => broker_domain);
    expect(listed).toEqual([BROKER.subdomain]);
    await approve(hub, made);
    hub.advance(SHARED_MS);
    expect((await hub.call('GET /blloo')).body.brokers).toHaveLength(2);
    await approve(hub, made, false);
    hub.advance(SHARED_MS);
    expect((await hub.call('GET /blloo')).body.brokers).toHaveLength(1);
  });
});

describe('the secret of a broker', () => {
  test('is replaced with itself as bearer; the old one is valid for another day', async () => {
    const first = await broker(hub);
    const { status, body: second } = await createBroker(hub, { guid: first.guid }, first.secret);
    expect([status, second.rotated, second.broker_id]).toEqual([200, true, first.broker_id]);
    expect(second.secret).not.toBe(first.secret);
    expect(await isAccepted(first.secret)).toBe(true);
    expect(await isAccepted(second.secret)).toBe(true);
    hub.advance(24 * HOUR);
    expect(await isAccepted(first.secret)).toBe(false);
    expect(await isAccepted(second.secret)).toBe(true);
  });

  test('that was replaced cannot request a new one, and is invalid after the next replacement', async () => {
    const first = await broker(hub);
    const { body: second } = await createBroker(hub, { guid: first.guid }, first.secret);
    const late = await createBroker(hub, { guid: first.guid }, first.secret);
    expect([late.status, late.body.code]).toEqual([401, 'broker_secret_invalid']);
    await createBroker(hub, { guid: first.guid }, second.secret);
    expect(await isAccepted(first.secret)).toBe(false);
    expect(await isAccepted(second.secret)).toBe(true);
  });

  test('is replaced once by ten simultaneous requests', async () => {
    const { guid, secret } = await broker(hub);
    const answers = await Promise.all(Array.from({ length: 10 }, () => createBroker(hub, { guid }, secret)));
    const made = answers.filter(({ status }) => status === 200);
    expect(made).toHaveLength(1);
    expect(await isAccepted(made[0]?.body.secret)).toBe(true);
  });

  test('is refused for another broker', async () => {
    const ours = await broker(hub);
    const theirs = await broker(hub);
    for (const answer of [
      await createBroker(hub, { guid: theirs.guid }, ours.secret),
      await createBroker(hub, { broker_name: theirs.broker_name }, ours.secret),
      await handshake(hub, { broker_guid: theirs.guid, broker_name: 'Hijacked' }, ours.secret),
      await askForToken(hub, 'a', { broker_sub_domain: theirs.subdomain }, ours.secret),
      await askForToken(hub, 'b', { broker_sub_domain: theirs.subdomain }, ours.secret),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([401, 'broker_secret_invalid']);
    }
    expect((await handshake(hub, { broker_guid: theirs.guid })).body.broker_name).toBe(theirs.broker_name);
  });

  test('that is wrong, malformed, or under another sub-domain is refused, not ignored', async () => {
    const { secret, subdomain } = await broker(hub);
    const other = await broker(hub);
    const [, , proof] = secret.split('.');
    const wrong = [
      `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`,
      `hub_bs.${other.subdomain}.${proof}`,
      `hub_bs.unheard-of.${proof}`,
      `hub_bs.${subdomain}.`,
      'nonsense',
    ];
    for (const bearer of wrong) {
      const { status, body } = await askForToken(hub, 'a', { broker_sub_domain: subdomain }, bearer);
      expect([bearer, status, body.code]).toEqual([bearer, 401, 'broker_secret_invalid']);
    }
  });

  test('that is empty is refused for a broker without a secret', async () => {
    const { status } = await askForToken(hub, 'a', {}, `hub_bs.${BROKER.subdomain}.${'A'.repeat(43)}`);
    expect(status).toBe(401);
  });
});

describe('the handshake of partner A', () => {
  test('gives the branding and the sign-in address by guid or by name', async () => {
    const made = await broker(hub);
    for (const query of [{ broker_guid: made.guid.toUpperCase() }, { broker_name: made.broker_name }]) {
      const { status, body } = await handshake(hub, query);
      expect([status, body.broker_id, body.updated, body.session]).toEqual([
        200,
        made.broker_id,
        false,
        null,
      ]);
      expect(body.sign_in_url).toBe(`https://hub.example/login_user_broker?broker_domain=${made.subdomain}`);
      expect(body.secret).toBeUndefined();
      expect(body.email).toBeUndefined();
    }
  });

  test('changes the branding with the secret, and nothing without it', async () => {
    const { guid, secret, subdomain } = await broker(hub);
    const changes = {
      broker_guid: guid,
      broker_name: 'New Name',
      broker_logo_url: 'https://new.example/logo.svg',
      support_email: 'help@new.example',
    };
    expect((await handshake(hub, changes)).body).toMatchObject({ updated: false, logo_url: null });
    expect((await handshake(hub, changes, secret)).body).toMatchObject({
      updated: true,
      subdomain,
      broker_name: 'New Name',
      logo_url: 'https://new.example/logo.svg',
      support_email: 'help@new.example',
    });
    expect((await handshake(hub, { broker_guid: guid })).body.broker_name).toBe('New Name');
    expect(await isAccepted(secret)).toBe(true);
  });

  test('takes no name that others must not have, but is found by any', async () => {
    const { guid, secret } = await broker(hub);
    for (const broker_name of ['Support', 'Partner A', 'Hаrbour', 'A\u202eb']) {
      const { status, body } = await handshake(hub, { broker_guid: guid, broker_name }, secret);
      expect([status, body.detail?.[0]?.loc]).toEqual([422, ['query', 'broker_name']]);
    }
    expect((await handshake(hub, { broker_name: 'Partner A' })).status).toBe(404);
  });

  test('changes nothing with a replaced secret, as it may have leaked', async () => {
    const { guid, secret } = await broker(hub);
    await createBroker(hub, { guid }, secret);
    expect((await handshake(hub, { support_email: 'desk@late.example' }, secret)).status).toBe(401);
  });

  test.each([
    ['nobody named', {}],
    ['an unknown guid', { broker_guid: 'unheard-of' }],
    ['an unknown name', { broker_name: 'Unheard Of' }],
  ])('is a 404 with %s', async (_why, query) => {
    const { status, body } = await handshake(hub, query);
    expect([status, body.code]).toEqual([404, 'broker_unknown']);
  });
});
