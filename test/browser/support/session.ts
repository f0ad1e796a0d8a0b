import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { drawn } from './drawn.ts';
import { mailedCode } from './mails.ts';
import type { Person } from './people.ts';
import { requestsOf } from './requests.ts';

const POLL_MS = 30;
const MAX_WAIT_MS = 15_000;

/** Parts that are loading: code and answers, the work of a button, and charts whose library is not there yet. */
const LOADING = '.loading, [aria-busy="true"], .chart-canvas:empty';

/** Waits until a screen has its title, all that it has asked for is answered, and nothing of it is loading. */
export const settled = async (page: Page): Promise<void> => {
  const { open: unanswered, begun } = requestsOf(page);
  const title = page.getByRole('heading', { level: 1 });
  for (let waited = 0; waited <= MAX_WAIT_MS; waited += POLL_MS) {
    await title.waitFor();
    const before = begun();
    if (unanswered.size === 0) {
      // Waits again: the parts that are drawn for the answers may ask for more.
      await drawn(page);
      const isReady = (await title.isVisible()) && (await page.locator(LOADING).count()) === 0;
      if (isReady && unanswered.size === 0 && begun() === before) return;
    }
    await page.waitForTimeout(POLL_MS);
  }
  const paths = [...unanswered].map((request) => new URL(request.url()).pathname);
  throw new Error(`${page.url()} goes on loading: ${paths.join(', ')}`);
};

/** Loads the console at a screen, by the address behind `#`. */
export const open = async (page: Page, path: string): Promise<void> => {
  // A change of the part behind `#` alone loads nothing.
  await page.goto('about:blank');
  await page.goto(`/console#${path}`);
  await settled(page);
};

/** Signs in through the form, like a person. */
export const signIn = async (page: Page, { email, password }: Person): Promise<void> => {
  await open(page, '/sign-in');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'attached' });
  await settled(page);
};

/** Steps the session of a page up, behind its back. */
export const stepUp = async (page: Page, { email, password }: Person): Promise<void> => {
  const query = { params: { user_id: 'me' } };
  const sent = await page.request.post('/send_step_up_code', query);
  expect(sent.status()).toBe(200);
  const code = await mailedCode(email, 'stepUp');
  const stepped = await page.request.post('/step_up', { ...query, data: { code, password } });
  expect(stepped.status()).toBe(200);
};
