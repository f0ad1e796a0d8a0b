import { afterAll, expect, test } from '@jest/globals';
import { HubApiError, HubClient } from '../../infra/client/package/src/index.ts';
import { disconnect, HUB_URL, visit } from './support/browser.ts';
import { look, TWO_VIEWS } from './support/look.ts';
import { provenPerson } from './support/people.ts';
import { open, settled, signIn, stepUp } from './support/session.ts';

afterAll(disconnect);

test('a key is made with its scopes, shown once, used by the client, and revoked', async () => {
  const person = await provenPerson();
  await using visitor = await visit();
  const { page, watch } = visitor;
  await signIn(page, person);
  await open(page, '/settings?part=programs');
  await page.getByText('There is no API key and no connected app yet.').waitFor();
  await stepUp(page, person);
  await page.getByRole('button', { name: 'Make a key…' }).click();
  const dialog = page.getByRole('dialog');
  const make = dialog.getByRole('button', { name: 'Make the key' });
  await dialog.getByText('Give the key a name.').waitFor();
  expect(await make.isDisabled()).toBe(true);
  await dialog.getByLabel('Name').fill('My bot');
  await dialog.getByLabel('Read').check();
  await dialog.getByLabel('Research').check();
  await dialog.getByLabel('It ends after').selectOption('30 days');
  await dialog.getByLabel('Only from these addresses').fill('not-an-address');
  await settled(page);
  expect(await look(page, 'api-key-form', TWO_VIEWS)).toEqual([]);
  watch.expect(/^422: POST \/make_api_key/);
  await make.click();
  await dialog.getByText(/Is no address/).waitFor();
  await dialog.getByLabel('Only from these addresses').fill('127.0.0.0/8 ::1');
  await make.click();
  const shown = page.getByLabel('Your new API key');
  await shown.waitFor();
  const apiKey = await shown.inputValue();
  await settled(page);
  expect(await look(page, 'api-key-made', TWO_VIEWS)).toEqual([]);
  const row = page.getByRole('row', { name: /My bot/ });
  expect(await row.innerText()).toMatch(/API key\s+Read, Research\s+127\.0\.0\.0\/8, ::1\s+Never/);
  await page.getByRole('button', { name: 'I have it, hide it' }).click();
  expect(await page.content()).not.toContain(apiKey);

  const bot = new HubClient({ baseUrl: HUB_URL, apiKey });
  expect(await bot.getBacktests({ user_id: 'me' })).toMatchObject({ total: 0 });
  const code = await bot
    .getWebhooks({ user_id: 'me' })
    .catch((error: unknown) => (error instanceof HubApiError ? error.code : error));
  expect(code).toBe('scope_insufficient');
  await open(page, '/settings?part=programs');
  expect(await row.innerText()).not.toContain('Never');

  await page.getByRole('button', { name: 'Revoke My bot…' }).click();
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('There is no API key and no connected app yet.').waitFor();
  await expect(bot.getBacktests({ user_id: 'me' })).rejects.toMatchObject({ code: 'api_key_invalid' });
  expect(watch.faults()).toEqual([]);
});
