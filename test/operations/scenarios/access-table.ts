import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { OPERATIONS } from '../../../functions/operations.ts';
import { bearerOf } from '../../../shared/api/authenticate.ts';
import { coerceStrings } from '../../../shared/api/coerce.ts';
import type { Operation } from '../../../shared/api/operation.ts';
import { ownStrategyIdOf } from '../../../shared/api/own-names.ts';
import type { StepUp } from '../../../shared/api/user-terms.ts';
import { signPlatformToken } from '../../../shared/auth/platform-tokens.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { findUser } from '../../../shared/data/users/users.ts';
import { allows, SCOPES, type Scope } from '../../../shared/domain/scopes.ts';
import { textId } from '../../../shared/ids.ts';
import { SCENARIOS } from '../../bench/scenarios.ts';
import { placeKeys } from '../../support/api-keys.ts';
import type { Request, Response } from '../../support/hub.ts';
import { bearer } from '../../support/people.ts';
import { userOf } from './named-user.ts';
import { world } from './world.ts';

/** Operations that act for a user. Callers of the other kinds are known by other means than sessions. */
const ROWS = OPERATIONS.filter(({ caller }) => ['user', 'session', 'deploy_key'].includes(caller));

const partsOf = ({ query = {}, form = {}, params = {}, json }: Request) => ({
  params,
  query: Object.fromEntries(Array.isArray(query) ? query : Object.entries(query)),
  form,
  json,
});

const prepare = async ({ routeKey }: Operation): Promise<{ request: Request; userId: string }> => {
  world.hub.advance(1000);
  const request = await SCENARIOS[routeKey]?.(world);
  const userId = request && (await userOf(request));
  if (!userId) throw new Error(`${routeKey} has no scenario that names a user`);
  return { request, userId };
};

const withToken = (request: Request, token: string | undefined): Request => {
  const { authorization: _, ...headers } = request.headers ?? {};
  return { ...request, headers: { ...headers, ...(token !== undefined && bearer(token)) } };
};

/** Makes the active platform token of a user, as a caller with the `user_id` alone or in a session. */
const platformToken = async (userId: string, bySession: boolean): Promise<string> => {
  const { store, keyRing, settings, clock, random } = world.hub.runtime;
  const [now, tokenId] = [clock(), textId(random)];
  const issued_at = Math.floor(now.getTime() / 1000);
  const expiresAt = issued_at + 600;
  const platform_token = { token_id: tokenId, issued_at, expires_at: expiresAt };
  await store.transact([{ key: keys.user(userId), set: { platform_token } }]);
  const claims = { userId, tokenId, expiresAt, bySession };
  return signPlatformToken(await keyRing(), settings.HUB_PUBLIC_URL, claims, now);
};

const prove = (userId: string, email_verified: boolean): Promise<void> =>
  world.hub.runtime.store.transact([{ key: keys.user(userId), set: { email_verified } }]);

const resultOf = ({ status, body }: Response): string => (status === 200 ? '200' : `${status} ${body.code}`);

/** Returns whether the request of the scenario needs a proven e-mail, as the operation declares it. */
const needsProof = (operation: Operation, request: Request): boolean =>
  operation.bind(partsOf(request)).terms.needsProof;

/** Returns the need of the request of the scenario for a step-up, as the operation declares it. */
const stepUpOf = (operation: Operation, request: Request): StepUp =>
  operation.bind(partsOf(request)).terms.stepUp;

/** Sets the age of the step-up of all sessions of a user, and whether the account has a second factor. */
const setStepUp = async (
  userId: string,
  { isFresh, hasFactor }: { readonly isFresh: boolean; readonly hasFactor: boolean },
): Promise<void> => {
  const { store, clock } = world.hub.runtime;
  const user = await findUser(store, userId);
  const at = Math.floor(clock().getTime() / 1000) - (isFresh ? 0 : 11 * 60);
  const sessions = Object.entries(user?.sessions ?? {}).map(([sid, session]) => [
    sid,
    { ...session, stepped_up_at: at },
  ]);
  const factors = user?.factors ?? (hasFactor ? { passkeys: 1, totp: false, recovery_codes: 0 } : undefined);
  const set = { sessions: Object.fromEntries(sessions), factors: hasFactor ? factors : undefined };
  await store.transact([{ key: keys.user(userId), set }]);
};

/** Names the user by the session that is sent, so the session of somebody else is that of its own user. */
const namesNobody = ({ caller }: Operation, request: Request): boolean =>
  caller === 'session' || ownStrategyIdOf(partsOf(request).query.keygen ?? '') !== undefined;

/** Scopes of operations that decide by the request. */
const BY_REQUEST: Readonly<Record<string, readonly Scope[]>> = {
  deploy_live_strategy: ['trade:paper', 'trade:real'],
  set_notification_preferences: ['manage'],
};

/** Tells whether some requests of an operation take a key with a scope. */
const allowed = ({ name, scope }: Operation, held: Scope): boolean =>
  scope === 'by_request'
    ? (BY_REQUEST[name] ?? []).some((needed) => allows([held], needed))
    : scope !== undefined && allows([held], scope);

/** Operations that refuse a platform token that was made without a session for some requests only: real orders, silence. */
const ONLY_SOME = new Set([
  'deploy_live_strategy',
  'deploy_notification_strategy',
  'deploy_scanner',
  'resume_deployment',
  'set_notification_preferences',
  'stop_deployment',
  'update_live_trade',
]);

/** Operations whose scope covers strategies that nobody else sees. Those of the scenarios are public, and need `manage`. */
const OF_PRIVATE = new Set(['rename_strategy', 'set_strategy_rules', 'update_strategy']);

describe.each(ROWS.map((operation) => [operation.routeKey, operation] as const))(
  '%s',
  (routeKey, operation) => {
    test('refuses keys of other scopes, sessions of others, ended and stale ones, and what an unproven account must not do', async () => {
      const { request, userId } = await prepare(operation);
      const call = (token: string | undefined) => world.hub.call(routeKey, withToken(request, token));
      const { scope } = operation.bind(partsOf(request));
      const placed = await placeKeys(world.hub, userId);
      for (const held of SCOPES) {
        if (scope !== undefined && allows([held], scope)) continue;
        expect([held, resultOf(await call(placed[held]))]).toEqual([held, '403 scope_insufficient']);
      }
      if (!namesNobody(operation, request)) {
        const stranger = await world.person();
        expect(resultOf(await call(stranger.access_token))).toBe('403 session_mismatch');
      }
      const ended = await world.person();
      await world.hub.call('POST /session/logout', { headers: bearer(ended.access_token) });
      expect(resultOf(await call(ended.access_token))).toMatch(
        /^401 session_invalid$|^403 session_mismatch$/,
      );
      // Operations that stop or protect need no step-up, with a second factor neither. One that proves the factor has to have it.
      await setStepUp(userId, { isFresh: false, hasFactor: operation.name !== 'step_up' });
      await prove(userId, false);
      const own = bearerOf(request.headers ?? {});
      const stale = stepUpOf(operation, request) === 'never' ? '200' : '403 step_up_required';
      expect(resultOf(await call(own))).toBe(needsProof(operation, request) ? '403 email_unproven' : stale);
    });

    test('takes an API key of its scope', async () => {
      for (const held of SCOPES.filter((one) => allowed(operation, one))) {
        const { request, userId } = await prepare(operation);
        const { scope, terms } = operation.bind(partsOf(request));
        if (scope === undefined || !allows([held], scope)) continue;
        const placed = await placeKeys(world.hub, userId);
        const admitted = terms.stepUp === 'never' ? '200' : '403 step_up_required';
        const expected = OF_PRIVATE.has(operation.name) ? '403 scope_insufficient' : admitted;
        const result = await world.hub.call(routeKey, withToken(request, placed[held]));
        expect([held, resultOf(result)]).toEqual([held, expected]);
      }
    });

    test('takes a platform token as it declares', async () => {
      const { request, userId } = await prepare(operation);
      const refuses =
        operation.errors.includes('platform_token_insufficient') && !ONLY_SOME.has(operation.name);
      const bare = await world.hub.call(routeKey, withToken(request, await platformToken(userId, false)));
      // A step-up is checked with the first read, whatever the handler refuses.
      const expected =
        stepUpOf(operation, request) === 'always' ? 'step_up_required' : 'platform_token_insufficient';
      expect(resultOf(bare)).toBe(refuses ? `403 ${expected}` : '200');
    });
  },
);

test.each(ROWS.filter(({ stepUp }) => stepUp).map((operation) => [operation.routeKey, operation] as const))(
  '%s needs a step-up, stale or fresh, with and without a second factor as it declares',
  async (routeKey, operation) => {
    const { request, userId } = await prepare(operation);
    const need = stepUpOf(operation, request);
    await setStepUp(userId, { isFresh: false, hasFactor: true });
    expect(resultOf(await world.hub.call(routeKey, request))).toBe(
      need === 'never' ? '200' : '403 step_up_required',
    );
    if (need === 'never') return;
    await setStepUp(userId, { isFresh: true, hasFactor: true });
    expect(resultOf(await world.hub.call(routeKey, request))).toBe('200');
    const { request: other, userId: plain } = await prepare(operation);
    await setStepUp(plain, { isFresh: false, hasFactor: false });
    expect(resultOf(await world.hub.call(routeKey, other))).toBe(
      need === 'always' ? '403 step_up_required' : '200',
    );
  },
);

test('a deploy key alone starts nothing that needs a proven e-mail, which is all that is real or public', async () => {
  const { keygen } = await world.strategy();
  for (const operation of OPERATIONS.filter(({ proven }) => proven)) {
    const { query, form } = operation.input;
    if (operation.caller !== 'deploy_key') {
      expect(query?.shape).not.toHaveProperty('keygen');
      continue;
    }
    const sent = { mode: 'live', starting_capital: '1000' };
    expect(form && coerceStrings(form, sent)).toMatchObject(sent);
    const refused = await world.hub.call(operation.routeKey, { query: { keygen }, form: sent });
    expect(resultOf(refused)).toBe('401 session_required');
  }
});

test('what begins real trading, lets programs in or changes how an account is held needs a step-up', () => {
  const names = (has: 'stepUp' | 'waits') =>
    OPERATIONS.filter((operation) => operation[has])
      .map(({ name }) => name)
      .toSorted();
  expect(names('stepUp')).toEqual([
    'add_passkey',
    'add_totp',
    'change_email',
    'change_password',
    'confirm_totp',
    'connect_execution',
    'delete_account',
    'deploy_live_strategy',
    'give_consent',
    'kill_switch',
    'make_api_key',
    'make_recovery_codes',
    'register_webhook',
    'remove_passkey',
    'remove_totp',
    'rotate_webhook_secret',
    'update_webhook',
  ]);
  expect(names('waits')).toEqual(['connect_execution', 'deploy_live_strategy', 'kill_switch']);
  // Compare first: a real deployment, and the limits before.
  const comparing = OPERATIONS.filter(({ errors, stepUp }) => errors.includes('step_up_required') && !stepUp);
  expect(comparing.map(({ name }) => name).toSorted()).toEqual([
    'create_signal_hook',
    'passkey_options',
    'resume_deployment',
    'set_risk_limits',
    'step_up',
  ]);
});

test('all that reaches others needs a proven e-mail', () => {
  expect(
    OPERATIONS.filter(({ proven }) => proven)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([
    'add_passkey',
    'add_totp',
    'confirm_broker',
    'confirm_totp',
    'connect_execution',
    'create_signal_hook',
    'deploy_live_strategy',
    'partnerc_connect',
    'profile_publish_strategy',
    'publish_explore_strategy',
    'register_webhook',
  ]);
});

/** Operations of users that no API key may call, by the reason. */
const WITHOUT_SCOPE = {
  'about the session itself': ['verify_session', 'verify_user'],
  'changes how the account is held, or ends it': [
    'add_passkey',
    'add_totp',
    'change_email',
    'change_password',
    'confirm_email',
    'confirm_email_change',
    'confirm_totp',
    'correct_email',
    'delete_account',
    'end_grants',
    'end_session',
    'keep_factors',
    'make_recovery_codes',
    'remove_lost_factors',
    'remove_passkey',
    'remove_totp',
    'send_email_confirmation',
    'send_step_up_code',
    'step_up',
  ],
  'makes, shows or ends credentials': [
    'check_for_token',
    'generate_token',
    'get_api_keys',
    'get_factors',
    'get_grants',
    'get_security_events',
    'get_sessions',
    'give_consent',
    'make_api_key',
    'open_consent',
    'revoke_api_key',
    'rotate_keygen',
    'rotate_webhook_secret',
  ],
  'lets others act or listen after the end of the key': [
    'confirm_broker',
    'connect_execution',
    'create_signal_hook',
    'get_push_token_web',
    'partnerc_connect',
    'partnerc_disconnect',
    'register_push_token',
    'register_webhook',
    'remove_push_token',
    'unlink_broker',
    'update_webhook',
  ],
} as const;

test('no API key calls an operation without a scope, which are these', () => {
  const without = ROWS.filter(({ scope }) => scope === undefined).map(({ name }) => name);
  expect(without.toSorted()).toEqual(Object.values(WITHOUT_SCOPE).flat().toSorted());
});

test('operations that use other credentials than sessions have no scope', () => {
  const others = OPERATIONS.filter((operation) => !ROWS.includes(operation));
  expect(others.filter(({ scope }) => scope !== undefined)).toEqual([]);
});

test('the page of accounts has the operations of each scope', () => {
  const page = readFileSync('functions/user-access/README.md', 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z:]+)` \|.*?\| (.*) \|$/gm)].map(([, scope, names = '']) => [
    scope,
    [...names.matchAll(/`([a-z0-9_]+)`/g)].map(([, name]) => name).toSorted(),
  ]);
  const declared = SCOPES.map((scope) => [
    scope,
    ROWS.filter((one) => one.scope === scope || (BY_REQUEST[one.name] ?? []).includes(scope))
      .map(({ name }) => name)
      .toSorted(),
  ]);
  expect(rows).toEqual(declared);
  const byRequest = ROWS.filter(({ scope }) => scope === 'by_request').map(({ name }) => name);
  expect(byRequest.toSorted()).toEqual(Object.keys(BY_REQUEST).toSorted());
});
