import type { Page } from 'playwright-core';
import type { Person } from './people.ts';

const QUIET_MS = 150;
const POLL_MS = 30;
const MAX_WAIT_MS = 15_000;

/** Waits until a screen has its title, and nothing of it has been loading for a moment. */
export const settled = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (let quiet = 0, waited = 0; quiet < QUIET_MS; quiet += POLL_MS, waited += POLL_MS) {
    if (waited > MAX_WAIT_MS) throw new Error(`${page.url()} goes on loading`);
    if ((await page.locator('.loading, [aria-busy="true"]').count()) > 0) quiet = 0;
    await page.waitForTimeout(POLL_MS);
  }
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
