import { describe, expect, test } from '@jest/globals';
import { approvedBroker, registerAtBroker, tokenOf } from '../../support/brokers.ts';
import type { Request, Response } from '../../support/hub.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, furnish, signUp } from '../../support/people.ts';

const hub = await openHub(furnish);

let keys = 0;

/** Sends a request twice with the same Idempotency-Key. */
const twice = async (routeKey: string, { headers, ...request }: Request): Promise<[Response, Response]> => {
  const sent = { ...request, headers: { ...headers, 'idempotency-key': `k-${++keys}` } };
  return [await hub.call(routeKey, sent), await hub.call(routeKey, sent)];
};

const expectShownOnce = ([first, again]: readonly [Response, Response]) => {
  expect(first.status).toBe(200);
  expect([again.status, again.body.code]).toEqual([409, 'answer_shown_once']);
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(again.cookies).toEqual([]);
};

describe('a secret is not shown again for a repeated request with the same Idempotency-Key', () => {
  test('when a broker registers, or replaces its secret', async () => {
    const query = { broker_name: 'Shown Once', email: 'desk@broker.example' };
    const made = await twice('POST /create_partnera_subdomain_secret', { query });
    expectShownOnce(made);
    const headers = bearer(made[0].body.secret);
    expectShownOnce(await twice('POST /create_partnera_subdomain_secret', { query, headers }));
  });

  test('when a user makes a platform token', async () => {
    const { body } = await signUp(hub);
    const made = await twice('POST /generate_token', { query: { user_id: body.user_id } });
    expectShownOnce(made);
    const { body: state } = await hub.call('GET /check_for_token', { query: { user_id: body.user_id } });
    expect(state.active).toBe(true);
  });

  test('when a partner token signs in', async () => {
    const at = await approvedBroker(hub);
    await registerAtBroker(hub, at.subdomain, { partner_token: await tokenOf(hub, at, 'ACC') });
    expectShownOnce(await twice('POST /partnerb/auth', { headers: bearer(await tokenOf(hub, at, 'ACC')) }));
    const token = await tokenOf(hub, at, 'ACC', 'a');
    expectShownOnce(await twice('POST /partnera_auth', { headers: bearer(token) }));
  });
});

test('an answer without a secret is repeated', async () => {
  const at = await approvedBroker(hub);
  const [first, again] = await twice('POST /partnera_auth', { query: { broker_guid: at.guid } });
  expect([again.status, again.body]).toEqual([200, first.body]);
  const [refused, still] = await twice('POST /partnerb/auth', { headers: bearer('nonsense') });
  expect([still.status, still.body]).toEqual([401, refused.body]);
});

test('brokers that choose the same key do not see each other’s answers', async () => {
  const headers = { 'idempotency-key': 'same-key' };
  const query = { account_id: 'ACC' };
  for (const { subdomain, secret, guid } of [await approvedBroker(hub), await approvedBroker(hub)]) {
    const made = await hub.call('POST /generate_partnera_token', {
      query,
      headers: { ...headers, ...bearer(secret) },
    });
    expect([made.status, made.body.broker_sub_domain]).toEqual([200, subdomain]);
    const form = { grant_type: 'client_credentials', client_id: guid, client_secret: secret };
    const { status, body } = await hub.call('POST /oauth/token', { form, headers });
    expect([status, body.token_type]).toEqual([200, 'Bearer']);
  }
});
