import { afterAll, expect, test } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import { HubClient } from '../../infra/client/package/src/index.ts';
import { startUpstream } from '../support/upstream.ts';
import { disconnect, HUB_URL, visit } from './support/browser.ts';
import { look, TWO_VIEWS } from './support/look.ts';
import { provenPerson } from './support/people.ts';
import { open, settled, signIn, stepUp } from './support/session.ts';

/** A program on this machine that waits for the answer. */
const app = await startUpstream((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<title>App</title><h1>Connected</h1>');
});
afterAll(async () => {
  await app.close();
  await disconnect();
});

const LOCAL = { [oauth.allowInsecureRequests]: true } as const;
const NAME = '<img src=x onerror=alert(1)> Official';

/** Registers the program, and returns the address that asks for access. */
const connecting = async (scope: string) => {
  const issuer = new URL(HUB_URL);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...LOCAL, algorithm: 'oauth2' }),
  );
  const redirect = `${app.url}/callback`;
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      server,
      { client_name: NAME, redirect_uris: ['http://127.0.0.1/callback'], token_endpoint_auth_method: 'none' },
      LOCAL,
    ),
  );
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const asked = new URL(server.authorization_endpoint ?? '');
  asked.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirect,
    response_type: 'code',
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    resource: `${HUB_URL}/mcp`,
  }).toString();
  /** Exchanges the answer that the program got last. */
  const exchange = async (): Promise<string> => {
    const answer = app.received.findLast(({ url }) => url.pathname === '/callback');
    if (!answer) throw new Error('the program got no answer');
    const params = oauth.validateAuthResponse(server, client, answer.url, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      params,
      redirect,
      verifier,
      LOCAL,
    );
    return (await oauth.processAuthorizationCodeResponse(server, client, response)).access_token;
  };
  return { address: asked.href, exchange };
};

test('an app is connected after the sign-in with what its user leaves of it, listed and revoked', async () => {
  const person = await provenPerson();
  await using visitor = await visit();
  const { page, watch } = visitor;
  const { address, exchange } = await connecting('read research trade:paper');
  await page.goto(address);
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Connect an app' }).waitFor();
  await settled(page);
  const request = page.getByRole('region', { name: 'Request of the app' });
  const text = await request.innerText();
  expect(text).toContain(NAME);
  expect(text).toContain(person.email);
  expect(text).toContain('nobody, and any app can use this name');
  expect(text).toContain(new URL(app.url).host);
  expect(await look(page, 'consent', TWO_VIEWS)).toEqual([]);
  await request.getByLabel('Trade on paper').uncheck();
  await stepUp(page, person);
  await request.getByRole('button', { name: 'Connect the app' }).click();
  await page.getByRole('heading', { name: 'Connected' }).waitFor();
  const apiKey = await exchange();
  const assistant = new HubClient({ baseUrl: HUB_URL, apiKey });
  expect(await assistant.getBacktests({ user_id: 'me' })).toMatchObject({ total: 0 });
  await expect(assistant.deployScanner({ keygen: 'x', universe_id: 'x' })).rejects.toMatchObject({
    code: 'scope_insufficient',
  });
  await open(page, '/settings?part=programs');
  const row = page.getByRole('row', { name: /Official/ });
  expect(await row.innerText()).toMatch(/App, vouched for by nobody/);
  await row.getByRole('button', { name: /Revoke/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('There is no API key and no connected app yet.').waitFor();
  await expect(assistant.getBacktests({ user_id: 'me' })).rejects.toMatchObject({ code: 'api_key_invalid' });
  expect(watch.faults().filter((fault) => !fault.includes(app.url))).toEqual([]);
});

test('a refusal goes back to the app, and nothing is connected', async () => {
  const person = await provenPerson();
  await using visitor = await visit();
  const { page } = visitor;
  await signIn(page, person);
  const { address } = await connecting('read');
  await page.goto(address);
  await page.getByRole('button', { name: 'Refuse' }).click();
  await page.getByRole('heading', { name: 'Connected' }).waitFor();
  const answer = app.received.findLast(({ url }) => url.pathname === '/callback');
  expect(answer?.url.searchParams.get('error')).toBe('access_denied');
  expect(await person.hub.getApiKeys({ user_id: person.userId })).toEqual({ api_keys: [] });
});

test('a request for more than assistants may have shows why, and cannot be approved', async () => {
  const person = await provenPerson();
  await using visitor = await visit();
  const { page } = visitor;
  await signIn(page, person);
  const { address } = await connecting('read manage');
  await page.goto(address);
  await page.getByText('The app asks for something that is not possible.').waitFor();
  await settled(page);
  expect(await look(page, 'consent-refused', TWO_VIEWS)).toEqual([]);
  expect(await page.getByRole('button', { name: 'Connect the app' }).count()).toBe(0);
});

test('a proposal is quoted as plain text, and declined; the deployments say that it waits', async () => {
  const person = await provenPerson();
  await using visitor = await visit();
  const { page, watch } = visitor;
  await signIn(page, person);
  const { hub, userId: user_id } = person;
  const strategy = await hub.buildNewStrategy({
    user_id,
    symbol: 'AAPL',
    timeframe: '1d',
    strategy_name: 'Mine',
  });
  const reason = '<script>alert(1)</script> Confirm at once.';
  await page.route('**/get_proposals*', async (route) => {
    const now = Date.now();
    await route.fulfill({
      json: {
        proposals: [
          {
            proposal_id: 'p-1',
            strategy_id: strategy.strategy_id,
            strategy_name: 'Mine',
            rules_hash: null,
            terms: {
              starting_capital: '5000',
              currency: 'USD',
              account_id: 'A-1',
              symbols: 'AAPL',
              prediction_market: false,
              engine_rates: false,
              when_unprotected: 'close',
            },
            reason,
            proposed_by: NAME,
            created_at: new Date(now).toISOString(),
            expires_at: new Date(now + 3_600_000).toISOString(),
          },
        ],
      },
    });
  });
  await open(page, '/deployments');
  await page.getByRole('link', { name: 'See what is proposed' }).click();
  await page.getByRole('heading', { name: 'Proposals' }).waitFor();
  await settled(page);
  expect(await page.locator('blockquote').innerText()).toBe(reason);
  expect(await look(page, 'proposals-waiting', TWO_VIEWS)).toEqual([]);
  watch.expect(/^\d+: GET \/preview_deployment/);
  await page.getByRole('button', { name: 'Review the proposal for Mine…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This trades with real money.').waitFor();
  await settled(page);
  expect(await look(page, 'proposal-review', TWO_VIEWS)).toEqual([]);
  await dialog.getByLabel(/I have read this/).check();
  // Names the obstacles to a deployment before it is asked for.
  expect(await dialog.getByRole('button', { name: 'Trade with real money' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Decline the proposal for Mine…' }).click();
  await dialog.getByRole('button', { name: 'Decline', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(watch.faults()).toEqual([]);
});
