import { afterAll, expect, test } from '@jest/globals';
import { disconnect, HUB_URL, type Visit, visit } from './support/browser.ts';
import { foreignPage } from './support/foreign-page.ts';
import { look } from './support/look.ts';
import { mailedCode } from './support/mails.ts';
import { newPerson, type Person, provenPerson } from './support/people.ts';
import { open, settled, signIn } from './support/session.ts';

afterAll(disconnect);

const REFUSED = /^401: /;

test('scripts cannot read the session: it is in cookies for HTTP only', async () => {
  await using visitor = await visit();
  const { page, context } = visitor;
  await signIn(page, await newPerson());
  const cookies = await context.cookies();
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) {
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: expect.stringMatching(/^(Lax|Strict)$/) });
  }
  expect(await page.evaluate(() => document.cookie)).toBe('');
});

test.each([['session', 'refresh_token'], ['refresh_token']])(
  'a session that another page began needs no password: cookies %s %s',
  async (...names) => {
    await using visitor = await visit();
    const { page, context, watch } = visitor;
    const { email: username, password } = await newPerson('Broker Guest');
    await context.request.post('/login', { form: { username, password } });
    for (const { name } of await context.cookies()) {
      if (name !== 'device' && !names.includes(name)) await context.clearCookies({ name });
    }
    await open(page, '/explore');
    await page.getByText('Broker Guest', { exact: true }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/explore');
    expect(watch.faults()).toEqual([]);
  },
);

test('signing out ends the session, also for someone who kept the cookies', async () => {
  await using visitor = await visit();
  const { page, context } = visitor;
  await signIn(page, await newPerson());
  const kept = await context.cookies();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const left = (await context.cookies()).map(({ name }) => name);
  expect(left).not.toContain('session');
  expect(left).not.toContain('refresh_token');
  await page.goBack();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();

  await context.addCookies(kept);
  const answer = await context.request.get('/get_risk_limits?user_id=me');
  expect(answer.status()).toBe(401);
});

test('an expired session asks to sign in, and comes back to the place', async () => {
  await using visitor = await visit();
  const { page, context, watch } = visitor;
  const person = await newPerson();
  await signIn(page, person);
  await open(page, '/strategies');
  watch.expect(REFUSED);
  await context.clearCookies();
  await page.reload();
  await page.getByText('or the cookies of this browser were cleared').waitFor();
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Strategies' }).waitFor();
  expect(new URL(page.url()).hash).toBe('#/strategies');
  expect(watch.faults()).toEqual([]);
});

test('a session that was ended elsewhere says so, one that its user ended says nothing', async () => {
  await using visitor = await visit();
  const { page, context, watch } = visitor;
  const person = await newPerson();
  await signIn(page, person);
  const other = await context.newPage();
  await open(other, '/explore');
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  expect(await other.getByText('Your session has ended').count()).toBe(0);
  await page.getByText('Your session has ended in another tab').waitFor();
  await other.close();

  watch.expect(REFUSED);
  await signIn(page, person);
  await person.hub.sendOtpPasswordReset({ email: person.email });
  const otp = Number(await mailedCode(person.email, 'reset'));
  await person.hub.resetPassword({ email: person.email, new_password: 'another-long-password', otp });
  await page.reload();
  await page.getByText('it was ended elsewhere').waitFor();
  expect(watch.faults()).toEqual([]);
});

test('registering says what to do if there may be an account, and not whether there is one', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const { email } = await newPerson();
  watch.expect(REFUSED);
  await open(page, '/register');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('not-the-password-of-ada');
  await page.getByRole('button', { name: 'Create the account' }).click();
  const answer = page.getByRole('alert');
  await answer.getByText('If you have an account already').waitFor();
  expect(await look(page, 'register-refused')).toEqual([]);
  await answer.getByRole('link', { name: 'reset the password' }).click();
  await page.getByRole('heading', { level: 1, name: 'Forgot the password' }).waitFor();
  expect(watch.faults()).toEqual([]);
});

test('a session whose access has expired goes on without a question', async () => {
  await using visitor = await visit();
  const { page, context, watch } = visitor;
  await signIn(page, await newPerson());
  watch.expect(REFUSED);
  await context.clearCookies({ name: 'session' });
  await open(page, '/strategies');
  await page.getByRole('heading', { level: 1, name: 'Strategies' }).waitFor();
  expect(watch.faults()).toEqual([]);
});

test('a page never goes on for another user whose session took the place of its own', async () => {
  await using visitor = await visit();
  const { page, context } = visitor;
  await signIn(page, await newPerson());
  await open(page, '/strategies');
  const { email: username, password } = await newPerson();
  await context.request.post('/login', { form: { username, password } });
  await page.evaluate(() => {
    localStorage.setItem('hub.session.until', '1');
    location.hash = '/explore';
  });
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
});

/** Ends the session of a page as its expiry does. */
const expire = async ({ page, context }: Visit): Promise<void> => {
  await context.clearCookies();
  await page.evaluate(() => localStorage.setItem('hub.session.until', '1'));
  // Makes the page ask for events, which shows that the session is over. It has to hear that it is offline first.
  await page.evaluate(() => {
    const heard = new Promise((resolve) => addEventListener('offline', resolve, { once: true }));
    Object.assign(window, { heard });
  });
  await context.setOffline(true);
  await page.evaluate(async () => {
    await Reflect.get(window, 'heard');
  });
  await context.setOffline(false);
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
};

const signInAgain = async ({ page }: Visit, { email, password }: Person): Promise<void> => {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

test('an expired session does not cost the work of the builder', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  const person = await newPerson();
  await signIn(page, person);
  await open(page, '/build');
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Half done');
  await page.getByText('Period, capital and costs').click();
  await page.getByLabel('Starting capital').fill('4321');
  await expire(visitor);
  await signInAgain(visitor, person);
  await name.waitFor();
  expect(await name.inputValue()).toBe('Half done');
  expect(await page.getByLabel('Starting capital').inputValue()).toBe('4321');
});

test('an expired session does not cost what was typed in a dialog, for its user alone', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  const [person, other] = await Promise.all([newPerson(), newPerson()]);
  await signIn(page, person);
  await open(page, '/risk');
  const change = page.getByRole('button', { name: 'Change the limits…' });
  await change.click();
  const loss = page.getByLabel('Loss in a day', { exact: true });
  const reason = page.getByLabel('Reason');
  await loss.fill('123');
  await reason.fill('Half a reason');
  await expire(visitor);

  await signInAgain(visitor, other);
  await change.waitFor();
  await settled(page);
  expect(await loss.count()).toBe(0);
  await change.click();
  expect([await loss.inputValue(), await reason.inputValue()]).toEqual(['', '']);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expire(visitor);

  await signInAgain(visitor, person);
  await loss.waitFor();
  expect([await loss.inputValue(), await reason.inputValue()]).toEqual(['123', 'Half a reason']);
  await page.getByRole('button', { name: 'Save the limits' }).click();
  await loss.waitFor({ state: 'detached' });
  await expire(visitor);
  await signInAgain(visitor, person);
  await change.click();
  expect([await loss.inputValue(), await reason.inputValue()]).toEqual(['123', '']);
});

test('what was typed and cancelled does not come back', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  const person = await newPerson();
  await signIn(page, person);
  await open(page, '/risk');
  const throwIt = page.getByRole('button', { name: 'Throw the kill switch…' });
  await throwIt.click();
  await page.getByLabel('Reason').fill('Never mind');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expire(visitor);
  await signInAgain(visitor, person);
  await throwIt.click();
  expect(await page.getByLabel('Reason').inputValue()).toBe('');
});

test('an expired session does not cost rules that were pasted, and keeps no key', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  const person = await newPerson();
  await signIn(page, person);
  await open(page, '/backtests/new?rules=given');
  const rules = page.getByLabel('Rules as JSON');
  await rules.fill('{ "schema": ');
  await expire(visitor);
  await signInAgain(visitor, person);
  await rules.waitFor();
  expect(await rules.inputValue()).toBe('{ "schema": ');

  await open(page, '/settings?part=brokers');
  const connect = page.getByRole('button', { name: 'Connect an account…' });
  await connect.click();
  await page.getByLabel('Key ID').fill('PK1');
  await page.getByLabel('Secret key').fill('hush');
  await expire(visitor);
  await signInAgain(visitor, person);
  await connect.click();
  expect(await page.getByLabel('Key ID').inputValue()).toBe('');
  expect(await page.getByLabel('Secret key').inputValue()).toBe('');
});

test('a password reset that signs in another user shows nothing of the one before', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  const [before, next] = await Promise.all([provenPerson('Ada'), newPerson('Grace')]);
  await before.hub.killSwitch({ user_id: before.userId, body: { action: 'throw', reason: 'Panic' } });
  await signIn(page, before);
  const banner = page.getByText('Your trading is stopped');
  await banner.waitFor();
  await open(page, '/reset');
  await page.getByLabel('E-mail').fill(next.email);
  await page.getByRole('button', { name: 'Send the code' }).click();
  const code = page.getByLabel('Code from the mail');
  await code.fill(await mailedCode(next.email, 'reset'));
  await page.getByLabel('New password').fill(next.password);
  await page.getByRole('button', { name: 'Set the password and sign in' }).click();
  await page.getByText('Grace', { exact: true }).waitFor();
  await settled(page);
  expect(await banner.count()).toBe(0);
});

test.each(['localhost', '127.0.0.1'] as const)(
  'a page of another origin on %s cannot act or read',
  async (host) => {
    await using visitor = await visit();
    await using elsewhere = await foreignPage(host);
    const { page, context } = visitor;
    const person = await newPerson();
    const { hub, userId: user_id } = person;
    const { strategy_id } = await hub.buildNewStrategy({
      user_id,
      symbol: 'AAPL',
      timeframe: '1d',
      strategy_name: 'Mine',
    });
    await signIn(page, person);

    const rename = (name: string) =>
      `${HUB_URL}/rename_strategy?user_id=me&strategy_id=${strategy_id}&strategy_name=${name}`;
    const evil = await context.newPage();
    await evil.goto(elsewhere.url);
    const read = await evil.evaluate(
      async ({ write, list }) => {
        const credentials = 'include';
        await fetch(write, { method: 'POST', mode: 'no-cors', credentials }).catch(() => undefined);
        await fetch(write, { method: 'POST', credentials }).catch(() => undefined);
        return fetch(list, { credentials }).then(
          (answer) => answer.text(),
          () => 'unreadable',
        );
      },
      { write: rename('Fetched'), list: `${HUB_URL}/get_strategies_by_user?user_id=me` },
    );
    expect(read).toBe('unreadable');
    await evil.evaluate((action) => {
      const form = document.createElement('form');
      form.method = 'post';
      form.action = action;
      document.body.append(form);
      form.submit();
    }, rename('Posted'));
    await evil.waitForURL(/rename_strategy/);
    await evil.goto(`${elsewhere.url}again`);
    await evil.evaluate((src) => {
      const frame = document.createElement('iframe');
      frame.src = src;
      document.body.append(frame);
    }, `${HUB_URL}/console`);
    const [frame] = evil.frames().slice(1);
    await frame?.waitForLoadState();
    expect(await frame?.getByRole('heading').count()).toBe(0);

    const { items } = await hub.getStrategiesByUser({ user_id });
    expect(items.map(({ strategy_name }) => strategy_name)).toEqual(['Mine']);
  },
);
