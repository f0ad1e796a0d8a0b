import { expect, test } from '@jest/globals';
import {
  SCOPES as KEY_SCOPES,
  keyOf,
  keyProblem,
  NEW_KEY,
  scopesText,
} from '../../functions/console/app/screens/settings/api-key-model.ts';
import {
  changesOf,
  draftOf,
  quietProblem,
  withChannel,
} from '../../functions/console/app/screens/settings/preferences-model.ts';
import { profileOf } from '../../functions/console/app/screens/settings/profile.ts';
import {
  deliveryText,
  eventText,
  groupText,
  mailStopText,
  signInName,
  switchedOff,
  webhookState,
} from '../../functions/console/app/screens/settings/texts.ts';
import {
  draftProblem,
  EVENTS,
  toggled,
  webhookChanges,
  webhookDraft,
  webhookOf,
} from '../../functions/console/app/screens/settings/webhook-model.ts';
import type { NotificationPreferences, Webhook } from '../../infra/client/package/src/index.ts';
import { changeTypes } from '../../shared/domain/changes/catalogue.ts';
import { SCOPES } from '../../shared/domain/scopes.ts';

const PREFERENCES: NotificationPreferences = {
  groups: [
    { group: 'signals', kinds: ['signal_buy'], app: true, push: true, email: false, sms: true },
    { group: 'risk', kinds: ['kill_switch'], app: true, push: true, email: true, sms: true },
  ],
  quiet_hours: null,
};
const QUIET = { time_zone: 'Europe/Berlin', from: '22:00', to: '07:00' };

test('an edit of preferences sends only what changed', () => {
  const draft = draftOf(PREFERENCES, 'Europe/Berlin');
  expect(changesOf(PREFERENCES, draft)).toBeUndefined();
  const louder = withChannel(draft, 'signals', 'email', true);
  expect(changesOf(PREFERENCES, louder)).toEqual({ groups: { signals: { email: true } } });
  expect(changesOf(PREFERENCES, withChannel(louder, 'signals', 'email', false))).toBeUndefined();
  const quiet = { ...draft, quiet: { ...draft.quiet, isOn: true } };
  expect(changesOf(PREFERENCES, quiet)).toEqual({ quiet_hours: QUIET });
});

test('quiet hours are ended by null and change field by field', () => {
  const before = { ...PREFERENCES, quiet_hours: QUIET };
  const draft = draftOf(before, 'UTC');
  expect(changesOf(before, draft)).toBeUndefined();
  expect(changesOf(before, { ...draft, quiet: { ...draft.quiet, isOn: false } })).toEqual({
    quiet_hours: null,
  });
  expect(changesOf(before, { ...draft, quiet: { ...draft.quiet, to: '08:00' } })).toEqual({
    quiet_hours: { ...QUIET, to: '08:00' },
  });
});

test('quiet hours need two different times', () => {
  const quiet = { isOn: true, ...QUIET };
  expect(quietProblem(quiet)).toBeUndefined();
  expect(quietProblem({ ...quiet, to: '22:00' })).toBe('The two times must differ.');
  expect(quietProblem({ ...quiet, from: '' })).toBe('Enter both times.');
  expect(quietProblem({ ...quiet, from: '', isOn: false })).toBeUndefined();
});

test('an address without mail has its reason, and groups that a link switched off have their names', () => {
  expect(mailStopText('bounce')).toContain('refused a mail');
  expect(mailStopText('complaint')).toContain('spam');
  expect(mailStopText(undefined)).toContain('not confirmed');
  const groups = [
    { group: 'signals', email: false },
    { group: 'risk', email: true },
  ];
  expect(switchedOff(['signals', 'risk'], groups)).toBe('Signals');
  expect(switchedOff(undefined, groups)).toBe('');
});

test('a profile has no secret of the answer', () => {
  const profile = profileOf({
    user_id: 'secret-1',
    user_key: 'u_1',
    email: 'ada@example.com',
    name: 'Ada',
    avatar_url: null,
    email_verified: true,
    ph_number: null,
    ph_verified: false,
    broker_id: null,
    brokers: [],
    subscription: { plan: 'free', status: 'active', expires_at: null, deploy_limit: 5, deploy_used: 1 },
    referral_code: 'r',
    is_new_user: false,
    access_token: 'secret-2',
    token_type: 'bearer',
    expires_in: 900,
    refresh_token: 'secret-3',
    login_time: '2026-03-02T10:00:00.000Z',
  });
  expect(JSON.stringify(profile)).not.toContain('secret');
});

const WEBHOOK: Webhook = {
  endpoint_id: 'e',
  url: 'https://example.com/hook',
  description: 'Mine',
  events: ['trade.closed', 'order.filled'],
  deployment_ids: [9, 4],
  status: 'enabled',
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  secret_since: '2026-03-02T10:00:00.000Z',
  previous_secret_until: null,
  created_at: '2026-03-02T10:00:00.000Z',
};

test('a webhook can choose every event of the service', () => {
  const offered = EVENTS.flatMap(({ types }) => types);
  expect(offered.toSorted()).toEqual(
    changeTypes()
      .filter((type) => !type.startsWith('webhook.'))
      .toSorted(),
  );
});

test('a new webhook gets all events of all deployments', () => {
  expect(webhookOf({ ...webhookDraft(), url: ' https://example.com/ ' })).toEqual({
    url: 'https://example.com/',
    description: '',
    events: [],
    deployment_ids: null,
  });
});

test('an edit of a webhook sends only what changed', () => {
  const before = webhookDraft(WEBHOOK);
  expect(webhookChanges(before, before)).toBeUndefined();
  const fewer = toggled([4, 7, 9], before.deployments, 4, false);
  expect(webhookChanges(before, { ...before, deployments: fewer })).toEqual({ deployment_ids: [9] });
  const again = { ...before, deployments: toggled([4, 7, 9], fewer, 4, true) };
  expect(webhookChanges(before, again)).toBeUndefined();
  expect(webhookChanges(before, { ...before, isAll: true, isEveryDeployment: true })).toEqual({
    events: [],
    deployment_ids: null,
  });
  expect(webhookChanges(before, { ...before, url: 'https://example.com/2', description: '' })).toEqual({
    url: 'https://example.com/2',
    description: '',
  });
});

test('a webhook needs an event and a deployment, or all', () => {
  const draft = webhookDraft(WEBHOOK);
  const ids = Array.from({ length: 51 }, (_, index) => index);
  expect(draftProblem(draft)).toBeUndefined();
  expect(draftProblem({ ...draft, events: [] })).toContain('an event');
  expect(draftProblem({ ...draft, events: [], isAll: true })).toBeUndefined();
  expect(draftProblem({ ...draft, deployments: [] })).toContain('a deployment');
  expect(draftProblem({ ...draft, deployments: ids })).toContain('at most 50');
  expect(draftProblem({ ...draft, deployments: ids, isEveryDeployment: true })).toBeUndefined();
});

test('states of webhooks and deliveries have words', () => {
  const on = { status: 'enabled', disabled_reason: null, failing_since: null };
  expect(webhookState(on)).toEqual({ kind: 'good', text: 'On' });
  expect(webhookState({ ...on, failing_since: '2026-03-02T10:00:00Z' }).kind).toBe('warn');
  expect(webhookState({ ...on, status: 'disabled', disabled_reason: 'gone' }).text).toContain('gone');
  const delivery = { status: 'pending', attempts: 0, http_status: null, failure: null };
  expect(deliveryText(delivery).text).toBe('Waiting');
  expect(deliveryText({ ...delivery, attempts: 2, http_status: 503 }).text).toBe('Tries again (503)');
  expect(deliveryText({ ...delivery, status: 'delivered', http_status: 200 }).text).toBe('Delivered (200)');
  expect(deliveryText({ ...delivery, status: 'failed', failure: 'timeout' }).text).toBe('Failed: timeout');
  expect(eventText('order.partially_filled')).toBe('Order partially filled');
  expect(groupText('risk').label).toBe('Risk');
  expect(groupText('of tomorrow').label).toBe('of tomorrow');
});

test('a sign-in is named by its device', () => {
  const session = {
    session_id: 's',
    place: null,
    device: 'Firefox on Linux',
    created_at: '',
    renewed_at: null,
    expires_at: '',
    is_current: false,
    is_platform_token: false,
  };
  expect(signInName(session)).toBe('Firefox on Linux');
  expect(signInName({ ...session, device: null })).toBe('Unknown device');
  expect(signInName({ ...session, device: null, is_platform_token: true })).toContain('Platform token');
});

test('the form of an API key sends what was chosen, once it can', () => {
  expect(keyProblem(NEW_KEY)).toBe('Give the key a name.');
  expect(keyProblem({ ...NEW_KEY, name: ' Bot ' })).toBe('Choose what the key may do.');
  const draft = { ...NEW_KEY, name: ' Bot ', scopes: ['manage', 'read'] } as const;
  expect(keyProblem(draft)).toBeUndefined();
  expect(keyOf(draft)).toEqual({ name: 'Bot', scopes: ['read', 'manage'], expires_in_days: 90 });
  const { addresses } = keyOf({ ...draft, addresses: ' 203.0.113.0/24,  ::1 ' });
  expect(addresses).toEqual(['203.0.113.0/24', '::1']);
  expect(scopesText({ scopes: ['manage', 'read'] })).toBe('Read, Manage');
  expect(KEY_SCOPES.map(({ scope }) => scope)).toEqual(SCOPES);
});
