import { afterAll, expect, test } from '@jest/globals';
import { generateSync } from 'otplib';
import type { Page } from 'playwright-core';
import { disconnect, HUB_URL, visit } from './support/browser.ts';
import { look, TWO_VIEWS } from './support/look.ts';
import { mailedCode, mailedLink } from './support/mails.ts';
import { plugIn } from './support/passkeys.ts';
import { newEmail, newPerson, type Person, provenPerson } from './support/people.ts';
import { open, settled, signIn } from './support/session.ts';

afterAll(disconnect);

const SECURITY = '/settings?part=security';
const STEP_S = 30;

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' });

/** Proves in the dialog with the password and a mailed code. */
const confirmByMail = async (page: Page, { email, password }: Person): Promise<void> => {
  const dialog = dialogOf(page);
  await dialog.getByRole('button', { name: 'Mail me a code' }).click();
  await dialog.getByText('A code is on its way').waitFor();
  await dialog.getByLabel('Code from the mail').fill(await mailedCode(email, 'stepUp'));
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.waitFor({ state: 'detached' });
};

const signOut = async (page: Page): Promise<void> => {
  await settled(page);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
};

const post = (path: string, body: object): Promise<Response> =>
  fetch(`${HUB_URL}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('the e-mail is changed after a step-up, and the former address undoes it', async () => {
  const person = await provenPerson();
  await using visitor = await visit();
  const { page, watch } = visitor;
  watch.expect(/^403: POST \/change_email/);
  await signIn(page, person);
  await open(page, '/settings');
  await page.getByRole('link', { name: 'Change it' }).click();
  const email = newEmail();
  await page.getByLabel('New e-mail').fill(email);
  const send = page.getByRole('button', { name: 'Send the code' });
  await send.click();
  const dialog = dialogOf(page);
  await dialog.waitFor();
  expect(await look(page, 'step-up', TWO_VIEWS)).toEqual([]);
  // Without the proof nothing is done, and the form is as before.
  await page.keyboard.press('Escape');
  await page.getByText('Nothing was done: confirm that it is you first.').waitFor();
  await send.click();
  await confirmByMail(page, person);
  await page.getByLabel('Code from the mail').fill(await mailedCode(email, 'change'));
  await page.getByRole('button', { name: 'Change the e-mail' }).click();
  await page.getByText(`Your e-mail is ${email} now.`).waitFor();
  await settled(page);
  expect(await look(page, 'email-changed', TWO_VIEWS)).toEqual([]);

  await using other = await visit();
  const undo = await mailedLink(person.email, 'undo');
  await open(other.page, undo);
  expect(other.page.url()).not.toContain('token');
  await other.page.getByRole('button', { name: 'Undo the change' }).click();
  await other.page.getByText(`${person.email} is the e-mail of your account again.`).waitFor();
  expect(await look(other.page, 'email-undone', TWO_VIEWS)).toEqual([]);
  watch.expect(/^401: /);
  await open(page, '/settings');
  await page.getByText('Your session has ended').waitFor();
  expect([...watch.faults(), ...other.watch.faults()]).toEqual([]);
});

test('the link of the mail confirms a new e-mail; a wrong one is corrected before it is confirmed', async () => {
  const person = await provenPerson();
  await using visitor = await visit();
  const { page, watch } = visitor;
  watch.expect(/^403: POST \/change_email/);
  await signIn(page, person);
  await open(page, '/email');
  const email = newEmail();
  await page.getByLabel('New e-mail').fill(email);
  await page.getByRole('button', { name: 'Send the code' }).click();
  await confirmByMail(page, person);
  await open(page, await mailedLink(email, 'change'));
  expect(page.url()).not.toContain('code');
  await page.getByRole('button', { name: 'Change the e-mail' }).click();
  await page.getByText(`Your e-mail is ${email} now.`).waitFor();
  await signOut(page);

  const wrong = await newPerson();
  await signIn(page, wrong);
  await page.getByRole('link', { name: 'Not your address?' }).click();
  const right = newEmail();
  await page.getByLabel('Right e-mail').fill(right);
  await page.getByLabel('Password of your account', { exact: true }).fill(wrong.password);
  await page.getByRole('button', { name: 'Correct the e-mail' }).click();
  await page.getByText(`Your e-mail is ${right} now.`).waitFor();
  await page.getByLabel('Code from the mail').fill(await mailedCode(right, 'proof'));
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await page.getByText('Confirm your e-mail.').waitFor({ state: 'detached' });
  expect(watch.faults()).toEqual([]);
});

test('a passkey is added, signs in and steps up; replays, other sites and copies are refused', async () => {
  const person = await provenPerson();
  await using visitor = await visit();
  const { page, watch } = visitor;
  const authenticator = await plugIn(page);
  watch.expect(/^403: POST \/(passkey_options|make_recovery_codes)/);
  await signIn(page, person);
  await open(page, SECURITY);
  await page.getByLabel('Name of the passkey').fill('My laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await confirmByMail(page, person);
  await page.getByRole('row', { name: /My laptop.*Never/ }).waitFor();
  expect(await authenticator.count()).toBe(1);
  await page.getByRole('button', { name: 'Make recovery codes' }).click();
  const codes = page.getByRole('list').filter({ has: page.locator('code') });
  await codes.getByRole('listitem').first().waitFor();
  expect(await codes.getByRole('listitem').count()).toBe(10);
  await settled(page);
  expect(await look(page, 'security', TWO_VIEWS)).toEqual([]);
  await page.getByRole('button', { name: 'I have them, hide them' }).click();
  await page.getByText('You have 10 left.').waitFor();
  await signOut(page);

  const sent = page.waitForRequest(/\/sign_in_passkey/);
  const byPasskey = page.getByRole('button', { name: 'Use a passkey' });
  await byPasskey.click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
  const used = (await sent).postDataJSON();
  const replayed = await post('/sign_in_passkey', used);
  expect([replayed.status, (await replayed.json()).code]).toEqual([401, 'passkey_refused']);
  const { clientDataJSON } = used.passkey.response;
  const data = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
  expect(data).toMatchObject({ type: 'webauthn.get', origin: HUB_URL });
  const elsewhere = { ...data, origin: 'https://hub.attacker.example' };
  const response = {
    ...used.passkey.response,
    clientDataJSON: Buffer.from(JSON.stringify(elsewhere)).toString('base64url'),
  };
  const foreign = await post('/sign_in_passkey', { passkey: { ...used.passkey, response } });
  expect([foreign.status, (await foreign.json()).code]).toEqual([401, 'passkey_refused']);
  await signOut(page);

  // A session of the password is not stepped up.
  await signIn(page, person);
  await open(page, SECURITY);
  await page.getByRole('button', { name: 'Make new ones…' }).click();
  await page.getByRole('button', { name: 'Make new ones', exact: true }).click();
  const dialog = dialogOf(page);
  await dialog.getByRole('button', { name: 'Recovery code' }).waitFor();
  expect(await look(page, 'step-up-passkey', TWO_VIEWS)).toEqual([]);
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'I have them, hide them' }).click();
  await signOut(page);

  await authenticator.turnBack();
  watch.expect(/^401: POST \/sign_in_passkey/);
  await byPasskey.click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(1);
  expect(watch.faults()).toEqual([]);
});

test('a page of another site gets no passkey of this one', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  await plugIn(page);
  const other = HUB_URL.replace('localhost', '127.0.0.1');
  await page.goto(`${other}/console`);
  const refusal = await page.evaluate(async () => {
    try {
      await navigator.credentials.get({
        publicKey: { challenge: new Uint8Array(32), rpId: 'localhost', userVerification: 'required' },
      });
      return 'used';
    } catch (error) {
      return error instanceof Error ? error.name : 'unknown';
    }
  });
  expect(refusal).toBe('SecurityError');
});

test('an authenticator app is added with its code and steps up', async () => {
  const person = await provenPerson();
  await using visitor = await visit();
  const { page, watch } = visitor;
  watch.expect(/^403: POST \/(add_totp|make_recovery_codes)/);
  await signIn(page, person);
  await open(page, SECURITY);
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  await confirmByMail(page, person);
  await page.getByRole('img', { name: /Secret for the authenticator app/ }).waitFor();
  await settled(page);
  expect(await look(page, 'totp', TWO_VIEWS)).toEqual([]);
  const secret = (await page.locator('form code').innerText()).replaceAll(' ', '');
  const codeIn = (steps: number): string =>
    generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * STEP_S });
  watch.expect(/^401: POST \/confirm_totp/);
  await page.getByLabel('Code of the app').fill('000000');
  await page.getByRole('button', { name: 'Add the app' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Code of the app').fill(codeIn(0));
  await page.getByRole('button', { name: 'Add the app' }).click();
  await page.getByText(/An app was added/).waitFor();
  await signOut(page);

  await signIn(page, person);
  await open(page, SECURITY);
  await page.getByRole('button', { name: 'Make recovery codes' }).click();
  const dialog = dialogOf(page);
  // The code that added the app counts no second time.
  await dialog.getByLabel('Code of your authenticator app').fill(codeIn(1));
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('button', { name: 'I have them, hide them' }).waitFor();
  expect(watch.faults()).toEqual([]);
});
