import type { Page } from 'playwright-core';
import type { Person } from './people.ts';

/** Waits until a screen has its title and loads nothing more. */
export const settled = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => !document.querySelector('.loading, [aria-busy="true"]'));
};

/** Opens a screen by its address behind `#`. */
export const open = async (page: Page, path: string): Promise<void> => {
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
