import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { auth, type OAuthClientProvider, type OAuthDiscoveryState } from '@modelcontextprotocol/client';
import * as oauth from 'oauth4webapi';
import { OPERATIONS } from '../../../functions/operations.ts';
import type { Response as HubResponse } from '../../support/hub.ts';
import {
  approve,
  asOwner,
  connectAssistant,
  fetchFrom,
  pkce,
  REDIRECT,
  registerClient,
} from '../../support/oauth.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, login, outbox, PASSWORD, registerUnproven, signUp, stepUp } from '../../support/people.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { json, startUpstream } from '../../support/upstream.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const ISSUER = 'https://hub.example';
const MCP = `${ISSUER}/mcp`;

const hub = await openHub(furnishWithInstruments);
const site = await startUpstream(json({}, 404));
afterAll(() => site.close());
beforeEach(() => {
  hub.advance(SECOND);
  site.answer = json({}, 404);
  site.received.length = 0;
});

interface Owner {
  readonly user_id: string;
  readonly email: string;
  readonly access_token: string;
}

const owner = async (): Promise<Owner> => (await signUp(hub)).body;

const resultOf = ({ status, body }: HubResponse) =>
  status === 200 ? 200 : `${status} ${body.code ?? body.error}`;

const read = async (token: string, routeKey = 'GET /get_kill_switch') =>
  resultOf(await hub.call(routeKey, { query: { user_id: 'me' }, headers: bearer(token) }));

const listed = async (who: Owner) => (await asOwner(hub, who, 'GET /get_api_keys')).body.api_keys;

const eventsOf = async (who: Owner): Promise<string[]> =>
  (await asOwner(hub, who, 'GET /get_security_events')).body.items.map(({ kind }: { kind: string }) => kind);

/** A request of a client, with what the token endpoint needs afterwards. */
const asking = async (more: Readonly<Record<string, string>> = {}) => {
  const { verifier, challenge } = pkce();
  const clientId = await registerClient(hub);
  const asked = {
    client_id: clientId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'read research',
    state: 'a state of the app',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: MCP,
    ...more,
  };
  const form = {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: asked.redirect_uri,
    code_verifier: verifier,
    resource: asked.resource,
  };
  return { asked, form };
};

const exchange = (form: Readonly<Record<string, string>>) => hub.call('POST /oauth/token', { form });

const refresh = (refresh_token: string, client_id: string, more: Readonly<Record<string, string>> = {}) =>
  exchange({ grant_type: 'refresh_token', refresh_token, client_id, ...more });

describe('the metadata', () => {
  test('leads from the server of assistants to the endpoints, and names only scopes of assistants', async () => {
    const get = fetchFrom(hub);
    for (const [path, resource] of [
      ['', ISSUER],
      ['/mcp', MCP],
    ]) {
      const answer = await get(`${ISSUER}/.well-known/oauth-protected-resource${path}`);
      expect([answer.status, await answer.json()]).toMatchObject([
        200,
        {
          resource,
          authorization_servers: [ISSUER],
          scopes_supported: ['read', 'research', 'trade:paper'],
          bearer_methods_supported: ['header'],
        },
      ]);
    }
    expect((await get(`${ISSUER}/.well-known/oauth-protected-resource/other`)).status).toBe(422);
    const { body } = await hub.call('GET /.well-known/oauth-authorization-server');
    expect(body).toMatchObject({
      issuer: ISSUER,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
    for (const [name, address] of Object.entries(body)) {
      if (!name.endsWith('_endpoint')) continue;
      const path = new URL(String(address)).pathname;
      expect(OPERATIONS.some((operation) => operation.path === path)).toBe(true);
    }
  });

  test('the authorization endpoint leads to the console, with the parameters behind #', async () => {
    const { asked } = await asking();
    const answer = await hub.call('GET /oauth/authorize', { query: { ...asked, prompt: 'none' } });
    expect(answer.status).toBe(302);
    const [place, query] = (answer.headers.location ?? '').split(/\?(.*)/s);
    expect(place).toBe('/console#/consent');
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual(asked);
  });
});

describe('a client of others', () => {
  const http = { [oauth.customFetch]: fetchFrom(hub) };

  const discover = async () => {
    const resource = new URL(MCP);
    const found = await oauth.processResourceDiscoveryResponse(
      resource,
      await oauth.resourceDiscoveryRequest(resource, http),
    );
    const issuer = new URL(found.authorization_servers?.[0] ?? '');
    return oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...http, algorithm: 'oauth2' }),
    );
  };

  test('registers, asks its user, gets tokens, uses, renews and ends them', async () => {
    const who = await owner();
    const server = await discover();
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(
        server,
        { client_name: 'Chat', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
        http,
      ),
    );
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const answer = await approve(
      hub,
      who,
      {
        client_id: client.client_id,
        redirect_uri: REDIRECT,
        response_type: 'code',
        scope: 'read research trade:paper',
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        resource: MCP,
      },
      ['read', 'trade:paper'],
    );
    // Compares state and issuer, too.
    const params = oauth.validateAuthResponse(server, client, answer, state);
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(server, client, oauth.None(), params, REDIRECT, verifier, {
        ...http,
        additionalParameters: { resource: MCP },
      }),
    );
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'read trade:paper' });
    expect(await read(tokens.access_token)).toBe(200);
    expect(await read(tokens.access_token, 'GET /get_backtests')).toBe('403 scope_insufficient');

    const renewed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token ?? '', http),
    );
    expect(await read(tokens.access_token)).toBe('401 api_key_invalid');
    expect(await read(renewed.access_token)).toBe(200);
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, oauth.None(), renewed.access_token, http),
    );
    expect(await read(renewed.access_token)).toBe('401 api_key_invalid');
    expect(await listed(who)).toEqual([]);
    expect(await eventsOf(who)).toEqual(
      expect.arrayContaining(['assistant_connected', 'assistant_disconnected']),
    );
  });

  test('by the library of the protocol alone finds the service, registers, connects and renews', async () => {
    const who = await owner();
    const kept: {
      client?: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
      tokens?: Awaited<ReturnType<OAuthClientProvider['tokens']>>;
      verifier?: string;
      asked?: URL;
      discovery?: OAuthDiscoveryState;
    } = {};
    const provider: OAuthClientProvider = {
      redirectUrl: REDIRECT,
      clientMetadata: {
        client_name: 'Chat',
        redirect_uris: [REDIRECT],
        token_endpoint_auth_method: 'none',
      },
      clientInformation: () => kept.client,
      saveClientInformation: (client) => void Object.assign(kept, { client }),
      tokens: () => kept.tokens,
      saveTokens: (tokens) => void Object.assign(kept, { tokens }),
      redirectToAuthorization: (asked) => void Object.assign(kept, { asked }),
      saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
      codeVerifier: () => kept.verifier ?? '',
      saveDiscoveryState: (discovery) => void Object.assign(kept, { discovery }),
      discoveryState: () => kept.discovery,
    };
    const options = { serverUrl: MCP, fetchFn: fetchFrom(hub), scope: 'read research' };
    expect(await auth(provider, options)).toBe('REDIRECT');
    const place = await hub.call('GET /oauth/authorize', {
      query: [...(kept.asked?.searchParams ?? [])],
    });
    const [, asked] = (place.headers.location ?? '').split(/\?(.*)/s);
    const answer = await approve(hub, who, Object.fromEntries(new URLSearchParams(asked)));
    const authorizationCode = answer.get('code') ?? '';
    const iss = answer.get('iss') ?? '';
    expect(await auth(provider, { ...options, authorizationCode, iss })).toBe('AUTHORIZED');
    const first = kept.tokens?.access_token ?? '';
    expect(await read(first)).toBe(200);
    expect(await auth(provider, options)).toBe('AUTHORIZED');
    expect([await read(first), await read(kept.tokens?.access_token ?? '')]).toEqual([
      '401 api_key_invalid',
      200,
    ]);
  });
});

describe('a consent', () => {
  test('names the app, its host and the scopes, and is announced to the owner by all channels', async () => {
    const who = await owner();
    const { asked, form } = await asking({ redirect_uri: 'http://127.0.0.1:8123/callback' });
    const clientId = await registerClient(hub, ['http://127.0.0.1/callback'], 'Totally Official');
    const opened = await asOwner(hub, who, 'POST /open_consent', { ...asked, client_id: clientId });
    expect(opened.body).toMatchObject({
      client_name: 'Totally Official',
      client_host: null,
      redirect_host: '127.0.0.1:8123',
      is_local: true,
      scopes: ['read', 'research'],
      problem: null,
    });
    const denied = new URL(opened.body.deny_to);
    expect([denied.host, Object.fromEntries(denied.searchParams)]).toEqual([
      '127.0.0.1:8123',
      { error: 'access_denied', state: asked.state, iss: ISSUER },
    ]);
    const answer = await approve(hub, who, { ...asked, client_id: clientId });
    expect(Object.fromEntries(answer)).toEqual({
      code: expect.stringMatching(/^hub_code_/),
      state: asked.state,
      iss: ISSUER,
    });
    const code = answer.get('code') ?? '';
    const { body } = await exchange({ ...form, client_id: clientId, code });
    const now = hub.runtime.clock().getTime();
    expect(await listed(who)).toEqual([
      {
        api_key_id: body.access_token.split('.')[1],
        kind: 'assistant',
        name: 'Totally Official',
        host: null,
        scopes: ['read', 'research'],
        addresses: null,
        created_at: new Date(now - (now % SECOND)).toISOString(),
        expires_at: new Date(now - (now % SECOND) + 30 * DAY).toISOString(),
        last_used_at: null,
      },
    ]);
    const mails = (await outbox(hub)).flatMap(({ message }) =>
      message?.kind === 'notification_mail' && message.to === who.email ? [message] : [],
    );
    expect(mails).toMatchObject([{ title: 'An assistant was connected', group: 'security' }]);
    expect(mails[0]?.body).not.toContain('Official');
    const table = await hub.tableText();
    for (const secret of [code, body.access_token, body.refresh_token]) {
      expect(table).not.toContain(secret.slice(-43));
    }
    const log = JSON.stringify(hub.log);
    for (const secret of [code, body.access_token, body.refresh_token, form.code_verifier]) {
      expect(log).not.toContain(secret);
    }
  });

  test('needs the session of a person that is stepped up, and is bound to it', async () => {
    const who = await owner();
    const { asked } = await asking();
    const { body } = await asOwner(hub, who, 'POST /open_consent', asked);
    const json = { consent: body.consent, scopes: ['read'] };
    const other = await owner();
    expect(resultOf(await asOwner(hub, other, 'POST /give_consent', json))).toBe('409 state_conflict');
    // The same user in a session that an attacker may have begun.
    const again: Owner = (await login(hub, who.email)).body;
    expect(resultOf(await asOwner(hub, again, 'POST /give_consent', json))).toBe('403 step_up_required');
    await stepUp(hub, who.user_id);
    expect(resultOf(await asOwner(hub, again, 'POST /give_consent', json))).toBe('409 state_conflict');
    expect(
      resultOf(await asOwner(hub, who, 'POST /give_consent', { ...json, consent: `${body.consent}x` })),
    ).toBe('409 state_conflict');
    const { access } = await connectAssistant(hub, who, ['read']);
    for (const routeKey of ['POST /open_consent', 'POST /give_consent']) {
      const request = {
        query: { user_id: 'me' },
        headers: bearer(access),
        json: routeKey.includes('open') ? asked : json,
      };
      expect(resultOf(await hub.call(routeKey, request))).toBe('403 scope_insufficient');
      expect(
        resultOf(await hub.call(routeKey, { ...request, query: { user_id: who.user_id }, headers: {} })),
      ).toBe('401 session_required');
    }
    hub.advance(11 * 60 * SECOND);
    expect(resultOf(await asOwner(hub, who, 'POST /give_consent', json))).toBe('409 state_conflict');
    expect((await listed(who)).length).toBe(1);
  });

  test('gives no scope that was not asked for, and none beyond those of assistants', async () => {
    const who = await owner();
    const { asked } = await asking({ scope: 'read' });
    const { body } = await asOwner(hub, who, 'POST /open_consent', asked);
    const give = (scopes: readonly string[]) =>
      asOwner(hub, who, 'POST /give_consent', { consent: body.consent, scopes });
    expect(resultOf(await give(['read', 'research']))).toBe('403 scope_insufficient');
    for (const scopes of [['manage'], ['trade:real'], []]) expect((await give(scopes)).status).toBe(422);
    for (const scope of ['manage', 'read trade:real', 'broker:read', ' ']) {
      const opened = await asOwner(hub, who, 'POST /open_consent', { ...asked, scope });
      expect([scope, opened.body.consent, new URL(opened.body.deny_to).searchParams.get('error')]).toEqual([
        scope,
        null,
        'invalid_scope',
      ]);
    }
    expect(await listed(who)).toEqual([]);
  });

  test.each(
    Object.entries({
      'a plain challenge': [{ code_challenge_method: 'plain' }, 'invalid_request'],
      'no method': [{ code_challenge_method: undefined }, 'invalid_request'],
      'no challenge': [{ code_challenge: undefined }, 'invalid_request'],
      'a short challenge': [{ code_challenge: 'x'.repeat(42) }, 'invalid_request'],
      'a token as response': [{ response_type: 'token' }, 'unsupported_response_type'],
      'another resource': [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
      'a resource below': [{ resource: `${MCP}/x` }, 'invalid_target'],
    } as const),
  )('refuses %s to the app, with the issuer', async (_, [more, error]) => {
    const who = await owner();
    const { asked } = await asking();
    const { status, body } = await asOwner(hub, who, 'POST /open_consent', { ...asked, ...more });
    expect([status, body.consent, body.problem]).toEqual([200, null, expect.stringMatching(/\.$/)]);
    const to = new URL(body.deny_to);
    expect(to.origin + to.pathname).toBe(REDIRECT);
    expect(Object.fromEntries(to.searchParams)).toMatchObject({ error, state: asked.state, iss: ISSUER });
  });

  test('leads nowhere for an address that the client has not registered', async () => {
    const who = await owner();
    const { asked } = await asking();
    for (const redirect_uri of [
      `${REDIRECT}/`,
      `${REDIRECT}?next=x`,
      `${REDIRECT}#x`,
      'https://app.example:444/callback',
      'https://APP.example/callback',
      'https://app.example.evil.example/callback',
      'https://app.example@evil.example/callback',
      'https://evil.example/callback',
      'http://app.example/callback',
      'javascript:alert(1)//callback',
      'http://127.0.0.1:1/callback',
    ]) {
      const refused = await asOwner(hub, who, 'POST /open_consent', { ...asked, redirect_uri });
      expect([redirect_uri, resultOf(refused)]).toEqual([redirect_uri, '404 client_unknown']);
      expect(refused.text).not.toContain('evil');
    }
    const local = await registerClient(hub, ['http://localhost:1/a', 'http://[::1]/b']);
    const at = async (redirect_uri: string) =>
      (await asOwner(hub, who, 'POST /open_consent', { ...asked, client_id: local, redirect_uri })).status;
    expect(await Promise.all(['http://localhost:9/a', 'http://[::1]:9/b'].map(at))).toEqual([200, 200]);
    const wrong = [
      'http://127.0.0.1:9/a',
      'http://localhost:9/b',
      'https://localhost/a',
      'http://localhost.evil.example/a',
    ];
    expect(await Promise.all(wrong.map(at))).toEqual(wrong.map(() => 404));
  });

  test('is bounded with the keys of a user', async () => {
    const who = await owner();
    for (let made = 0; made < 20; made++) await connectAssistant(hub, who, ['read']);
    await expect(connectAssistant(hub, who, ['read'])).rejects.toThrow('quota_reached');
    const full = await asOwner(hub, who, 'POST /make_api_key', { name: 'My bot', scopes: ['read'] });
    expect(resultOf(full)).toBe('409 quota_reached');
  });
});

describe('a registration', () => {
  test('is held by the client id, which nobody can change', async () => {
    const clientId = await registerClient(hub);
    const [prefix, held = '', proof] = clientId.split('.');
    const text = Buffer.from(held, 'base64url').toString().replace('app.example', 'evil.example');
    const forged = [prefix, Buffer.from(text).toString('base64url'), proof].join('.');
    const who = await owner();
    const { asked } = await asking();
    const redirect_uri = 'https://evil.example/callback';
    const refused = await asOwner(hub, who, 'POST /open_consent', {
      ...asked,
      client_id: forged,
      redirect_uri,
    });
    expect(resultOf(refused)).toBe('404 client_unknown');
  });

  test.each([
    [{ redirect_uris: ['http://app.example/callback'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['app:/callback'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['https://app.example/#x'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: 'https://app.example/' }, 'invalid_redirect_uri'],
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: [REDIRECT], client_name: 'x'.repeat(61) }, 'invalid_client_metadata'],
    [{ redirect_uris: [REDIRECT], client_name: 'a\u202Eb' }, 'invalid_client_metadata'],
  ])('is refused with %j', async (json, error) => {
    expect(resultOf(await hub.call('POST /oauth/register', { json }))).toBe(`400 ${error}`);
  });
});

describe('the document of a client', () => {
  const local = hub.with({ HUB_WEBHOOK_REACH: 'loopback' });
  const documentOf = (client_id: string, more: object = {}) => ({
    client_id,
    client_name: 'Chat',
    redirect_uris: [REDIRECT, 'custom:/x'],
    ...more,
  });
  let count = 0;
  const freshId = () => `${site.url}/client-${++count}.json`;

  const open = async (who: Owner, client_id: string, over = local) =>
    asOwner(over, who, 'POST /open_consent', { ...(await asking()).asked, client_id });

  test('names the app and vouches by its host; it is read once in five minutes', async () => {
    const who = await owner();
    const id = freshId();
    site.answer = json(documentOf(id));
    expect((await open(who, id)).body).toMatchObject({
      client_name: 'Chat',
      client_host: new URL(id).host,
      redirect_host: 'app.example',
    });
    expect((await open(who, id)).status).toBe(200);
    expect(site.received).toHaveLength(1);
    hub.advance(6 * 60 * SECOND);
    const later: Owner = (await login(hub, who.email)).body;
    expect((await open(later, id)).status).toBe(200);
    expect(site.received).toHaveLength(2);
  });

  test('is refused if it names another client, is too long, redirects or is none', async () => {
    const who = await owner();
    const answers: Readonly<Record<string, (id: string) => typeof site.answer>> = {
      'another client': () => json(documentOf(`${site.url}/other.json`)),
      'too long': (id) => json(documentOf(id, { more: 'x'.repeat(17_000) })),
      redirects: () => (_request, response) => {
        response.writeHead(302, { location: `${site.url}/elsewhere` }).end();
      },
      'an error': (id) => json(documentOf(id), 500),
      'no JSON': () => (_request, response) => {
        response.end('<html>');
      },
      'a hidden name': (id) => json(documentOf(id, { client_name: '\u200B' })),
      'no address': (id) => json(documentOf(id, { redirect_uris: [] })),
      'a client with a key': (id) => json(documentOf(id, { token_endpoint_auth_method: 'private_key_jwt' })),
      'hangs up': () => (_request, response) => {
        response.destroy();
      },
    };
    for (const [name, answer] of Object.entries(answers)) {
      const id = freshId();
      site.answer = answer(id);
      expect([name, resultOf(await open(who, id))]).toEqual([name, '404 client_unknown']);
    }
    expect(site.received.some(({ url }) => url.pathname === '/elsewhere')).toBe(false);
  });

  test('is never read from addresses inside, nor from texts that are read differently', async () => {
    const who = await owner();
    const { port } = new URL(site.url);
    site.answer = json(documentOf('x'));
    for (const id of [
      `${site.url}/client.json`,
      `https://127.0.0.1:${port}/client.json`,
      `https://localhost:${port}/client.json`,
      'https://169.254.169.254/latest/meta-data',
      'https://[::1]/client.json',
      'https://10.0.0.1/client.json',
    ]) {
      expect([id, resultOf(await open(who, id, hub))]).toEqual([id, '404 client_unknown']);
    }
    for (const id of [
      `${site.url}/`,
      site.url,
      `${site.url}/a/../client.json`,
      `${site.url}/client.json#x`,
      site.url.replace('//', '//user@'),
      'file:///etc/passwd',
      'not an address',
    ]) {
      expect([id, resultOf(await open(who, id))]).toEqual([id, '404 client_unknown']);
    }
    expect(site.received).toEqual([]);
  });
});

describe('a code', () => {
  const coded = async (who: Owner) => {
    const { asked, form } = await asking();
    return { ...form, code: (await approve(hub, who, asked)).get('code') ?? '' };
  };

  test.each(
    Object.entries({
      'another verifier': [{ code_verifier: pkce().verifier }, 'invalid_grant'],
      'the challenge as verifier': [{ code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
      'another address': [{ redirect_uri: 'https://app.example/other' }, 'invalid_grant'],
      'another resource': [{ resource: ISSUER }, 'invalid_target'],
      'a foreign resource': [{ resource: 'https://other.example' }, 'invalid_target'],
      'another code': [{ code: 'hub_code_x' }, 'invalid_grant'],
      'no verifier': [{ code_verifier: '' }, 'invalid_request'],
      'no client': [{ client_id: '' }, 'invalid_request'],
    } as const),
  )('is refused with %s, and works afterwards', async (_, [more, error]) => {
    const who = await owner();
    const form = await coded(who);
    expect(resultOf(await exchange({ ...form, ...more }))).toBe(`400 ${error}`);
    const { status, headers } = await exchange(form);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  });

  test('is of one client, works once, and a second use ends what the first one opened', async () => {
    const who = await owner();
    const form = await coded(who);
    const other = await registerClient(hub, [REDIRECT], 'Another');
    expect(resultOf(await exchange({ ...form, client_id: other }))).toBe('400 invalid_grant');
    const { body } = await exchange(form);
    expect(await read(body.access_token)).toBe(200);
    expect(resultOf(await exchange({ ...form, client_id: other }))).toBe('400 invalid_grant');
    expect(await read(body.access_token)).toBe('401 api_key_invalid');
    expect(resultOf(await refresh(body.refresh_token, form.client_id))).toBe('400 invalid_grant');
    expect(await eventsOf(who)).toContain('assistant_token_reused');
  });

  test('of which two exchanges race opens nothing in the end', async () => {
    const who = await owner();
    const form = await coded(who);
    const answers = await Promise.all([exchange(form), exchange(form), exchange(form)]);
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const { status, body } of answers) {
      if (status === 200) expect(await read(body.access_token)).toBe('401 api_key_invalid');
    }
  });

  test('ends after a minute, and with what ends keys', async () => {
    const who = await owner();
    const late = await coded(who);
    hub.advance(61 * SECOND);
    expect(resultOf(await exchange(late))).toBe('400 invalid_grant');
    const again: Owner = { ...(await login(hub, who.email)).body, email: who.email };
    await stepUp(hub, who.user_id);
    const form = await coded(again);
    expect((await asOwner(hub, again, 'POST /end_grants')).status).toBe(200);
    expect(resultOf(await exchange(form))).toBe('400 invalid_grant');
  });
});

describe('a grant', () => {
  test('is renewed by the newest refresh token alone; a used one ends it', async () => {
    const who = await owner();
    const { clientId, refresh: first, access } = await connectAssistant(hub, who, ['read', 'research']);
    expect(resultOf(await refresh(first, await registerClient(hub, [REDIRECT], 'Another')))).toBe(
      '400 invalid_grant',
    );
    expect(resultOf(await refresh(`${first.slice(0, -2)}AA`, clientId))).toBe('400 invalid_grant');
    expect(resultOf(await refresh(first, clientId, { scope: 'read manage' }))).toBe('400 invalid_scope');
    expect(resultOf(await refresh(first, clientId, { resource: ISSUER }))).toBe('400 invalid_target');
    const { body } = await refresh(first, clientId, { scope: 'read', resource: MCP });
    expect(await Promise.all([read(access), read(body.access_token)])).toEqual(['401 api_key_invalid', 200]);
    expect(resultOf(await refresh(first, clientId))).toBe('400 invalid_grant');
    expect(await read(body.access_token)).toBe('401 api_key_invalid');
    expect(resultOf(await refresh(body.refresh_token, clientId))).toBe('400 invalid_grant');
    expect(await listed(who)).toEqual([]);
  });

  test('has access tokens of an hour, ends after 30 days without a renewal and after 90 days at most', async () => {
    const who = await owner();
    const idle = await connectAssistant(hub, who, ['read']);
    const used = await connectAssistant(hub, who, ['read']);
    hub.advance(HOUR - 2 * SECOND);
    expect(await read(used.access)).toBe(200);
    hub.advance(3 * SECOND);
    expect(await read(used.access)).toBe('401 api_key_invalid');
    let token = used.refresh;
    let access = '';
    for (let days = 0; days < 87; days += 29) {
      hub.advance(29 * DAY);
      const { status, body } = await refresh(token, used.clientId);
      expect([days, status]).toEqual([days, 200]);
      [token, access] = [body.refresh_token, body.access_token];
    }
    expect(await read(access)).toBe(200);
    expect(resultOf(await refresh(idle.refresh, idle.clientId))).toBe('400 invalid_grant');
    hub.advance(3 * DAY);
    expect(resultOf(await refresh(token, used.clientId))).toBe('400 invalid_grant');
  });

  test('has one quota: a renewed token takes it over, and one that has ended uses none of it', async () => {
    const who = await owner();
    const { access: first, refresh: renewal, clientId } = await connectAssistant(hub, who, ['read']);
    const limited = hub.with({
      HUB_RATE_LIMITS: JSON.stringify({
        window_s: 10,
        credential: { read: 3, write: 3, work: 3 },
        network: { read: 9, write: 9, work: 9 },
      }),
    });
    const left = async (token: string) => {
      const request = { query: { user_id: 'me' }, headers: bearer(token) };
      const { status, headers } = await limited.call('GET /get_kill_switch', request);
      return [status, headers.ratelimit?.split(';t', 1)[0]];
    };
    expect(await left(first)).toEqual([200, '"network-read";r=8']);
    expect(await left(first)).toEqual([200, '"read";r=2']);
    const second: string = (await refresh(renewal, clientId)).body.access_token;
    expect(await left(second)).toEqual([200, '"network-read";r=8']);
    expect(await left(second)).toEqual([200, '"read";r=1']);
    expect(await left(first)).toEqual([401, '"read";r=0']);
    for (const rest of [8, 7]) expect(await left(first)).toEqual([401, `"network-read";r=${rest}`]);
    expect((await left(second))[0]).toBe(429);
  });

  test('is revoked like a key, and ends with a new password', async () => {
    const who = await owner();
    const one = await connectAssistant(hub, who, ['read']);
    const keyId = one.access.split('.')[1] ?? '';
    const revoked = await hub.call('POST /revoke_api_key', {
      query: { user_id: who.user_id, api_key_id: keyId },
      headers: bearer(who.access_token),
    });
    expect(revoked.body).toEqual({ revoked: true });
    expect([await read(one.access), resultOf(await refresh(one.refresh, one.clientId))]).toEqual([
      '401 api_key_invalid',
      '400 invalid_grant',
    ]);
    const two = await connectAssistant(hub, who, ['read']);
    const changed = { password: PASSWORD, new_password: 'another correct horse' };
    expect((await asOwner(hub, who, 'POST /change_password', changed)).body.ended).toBeGreaterThan(0);
    expect([await read(two.access), resultOf(await refresh(two.refresh, two.clientId))]).toEqual([
      '401 api_key_invalid',
      '400 invalid_grant',
    ]);
  });

  test('is ended by either of its tokens, by its client alone, and without telling whether there was one', async () => {
    const who = await owner();
    const { clientId, access, refresh: token } = await connectAssistant(hub, who, ['read']);
    const revoke = (form: Readonly<Record<string, string>>) => hub.call('POST /oauth/revoke', { form });
    expect(resultOf(await revoke({}))).toBe('400 invalid_request');
    expect((await revoke({ token: 'unknown' })).status).toBe(200);
    const other = await registerClient(hub, [REDIRECT], 'Another');
    expect(resultOf(await revoke({ token, client_id: other }))).toBe('400 invalid_grant');
    expect(await read(access)).toBe(200);
    expect((await revoke({ token, client_id: clientId })).status).toBe(200);
    expect(await read(access)).toBe('401 api_key_invalid');
    // An API key is not ended here.
    const made = await asOwner(hub, who, 'POST /make_api_key', { name: 'My bot', scopes: ['read'] });
    expect((await revoke({ token: made.body.api_key })).status).toBe(200);
    expect(await read(made.body.api_key)).toBe(200);
  });

  test('of an account without a proof needs the step-up as well', async () => {
    const { body } = await registerUnproven(hub);
    const unproven: Owner = (await login(hub, body.email)).body;
    await expect(connectAssistant(hub, unproven, ['read'])).rejects.toThrow('step_up_required');
  });

  test('makes no session: its tokens renew none, step nothing up and start nothing real', async () => {
    const who = await owner();
    const { access, refresh: token } = await connectAssistant(hub, who, ['read', 'research', 'trade:paper']);
    const relogin = await hub.call('POST /session/relogin', { json: { refresh_token: token } });
    expect(relogin.status).toBeGreaterThanOrEqual(400);
    for (const routeKey of ['POST /make_api_key', 'POST /kill_switch', 'POST /set_risk_limits']) {
      const answer = await hub.call(routeKey, {
        query: { user_id: 'me' },
        headers: bearer(access),
        json: {},
      });
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
  });
});
