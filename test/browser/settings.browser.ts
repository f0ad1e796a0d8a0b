import { afterAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { disconnect, visit } from './support/browser.ts';
import { look, TWO_VIEWS } from './support/look.ts';
import { provenPerson } from './support/people.ts';
import { open, settled, signIn, stepUp } from './support/session.ts';

afterAll(disconnect);

test('a webhook is changed, tried, and its older deliveries are read', async () => {
  const person = await provenPerson();
  const { userId: user_id, hub } = person;
  await using visitor = await visit();
  const { page, watch } = visitor;
  await signIn(page, person);
  await stepUp(page, person);
  const made = await page.request.post('/register_webhook', {
    params: { user_id: 'me' },
    // Nothing listens at the port, so each attempt fails at once.
    data: { url: 'http://127.0.0.1:9/hook' },
  });
  const { endpoint_id } = await made.json();
  await open(page, '/settings?part=programs');
  await page.getByRole('button', { name: 'Change…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill('http://127.0.0.1:9/other');
  await dialog.getByLabel('Name').fill('My bot');
  await dialog.getByLabel('All events').uncheck();
  await dialog.getByLabel('All deployments').uncheck();
  expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Trade closed').check();
  await settled(page);
  expect(await look(page, 'webhook-form', TWO_VIEWS)).toEqual([]);
  await dialog.getByLabel('All deployments').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'My bot' }).waitFor();
  const { webhooks } = await hub.getWebhooks({ user_id });
  expect(webhooks).toMatchObject([
    {
      url: 'http://127.0.0.1:9/other',
      description: 'My bot',
      events: ['trade.closed'],
      deployment_ids: null,
    },
  ]);
  // With the challenges of both addresses 26.
  for (let sent = 0; sent < 24; sent++) await hub.testWebhook({ user_id, endpoint_id });
  await page.getByRole('button', { name: 'Deliveries' }).click();
  await page.getByRole('button', { name: 'Older' }).click();
  await page.getByRole('button', { name: 'Newest', exact: true }).waitFor();
  await settled(page);
  expect(await page.getByRole('table').getByRole('row').count()).toBe(2);
  expect(await look(page, 'webhook-deliveries', TWO_VIEWS)).toEqual([]);
  const remove = page.getByRole('button', { name: 'Remove…' });
  await page.route(
    /\/remove_webhook/,
    (route) => route.fulfill({ status: 500, json: { detail: 'Failed' } }),
    {
      times: 1,
    },
  );
  watch.expect(/^500: POST \/remove_webhook/);
  await remove.click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByRole('alert').waitFor();
  await page.keyboard.press('Escape');
  await remove.click();
  // The error belongs to the try before.
  expect(await dialog.getByRole('alert').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('There is no webhook yet.').waitFor();
  expect(watch.faults()).toEqual([]);
});

/** Puts a push service and the permission into the page. The service worker is the real one. */
const fakePushService = (page: Page) =>
  page.addInitScript(() => {
    let held: object | null = null;
    const subscription = {
      endpoint: 'http://127.0.0.1:9/push/1',
      toJSON: () => ({
        endpoint: 'http://127.0.0.1:9/push/1',
        keys: { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) },
      }),
      unsubscribe: async () => {
        held = null;
        return true;
      },
    };
    // A browser without windows denies notifications.
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    Object.assign(Notification, { requestPermission: async () => 'granted' });
    Object.assign(PushManager.prototype, {
      getSubscription: async () => held,
      subscribe: async () => {
        held = subscription;
        return held;
      },
    });
  });

test('this browser is registered for push messages with its service worker, and is removed, also by signing out', async () => {
  const person = await provenPerson();
  const { userId: user_id, hub } = person;
  await using visitor = await visit();
  const { page, watch } = visitor;
  await fakePushService(page);
  await signIn(page, person);
  await open(page, '/settings?part=sign-ins');
  await page.getByRole('button', { name: 'Switch on in this browser' }).click();
  const off = page.getByRole('button', { name: 'Switch off in this browser' });
  await off.waitFor();
  await settled(page);
  expect(await look(page, 'push', TWO_VIEWS)).toEqual([]);
  expect((await hub.getPushTokenWeb({ user_id })).registrations).toMatchObject([{ kind: 'web_push' }]);
  const worker = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('console/worker.js');
    return { state: registration?.active?.state, scope: new URL(registration?.scope ?? '').pathname };
  });
  expect(worker).toMatchObject({ state: expect.stringMatching(/^activat/), scope: '/console/' });
  await off.click();
  const on = page.getByRole('button', { name: 'Switch on in this browser' });
  await on.waitFor();
  expect((await hub.getPushTokenWeb({ user_id })).registrations).toEqual([]);

  await on.click();
  await off.waitFor();
  expect((await hub.getPushTokenWeb({ user_id })).registrations).toHaveLength(1);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const held = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('console/worker.js');
    return registration?.pushManager.getSubscription();
  });
  expect(held).toBe(null);
  expect((await hub.getPushTokenWeb({ user_id })).registrations).toEqual([]);
  expect(watch.faults()).toEqual([]);
});
