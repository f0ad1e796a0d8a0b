import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { followRequests } from './requests.ts';
import { type Watch, watch } from './watch.ts';

/** Returns a setting of the run. */
export const setting = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is missing. Run these tests with: npm run test:browser`);
  return value;
};

/** Address of the service. */
export const HUB_URL = setting('HUB_URL');

export const PHONE = { width: 360, height: 740 } as const;
export const DESKTOP = { width: 1280, height: 800 } as const;

/** A browser without cookies of others, and its first page. */
export interface Visit extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly watch: Watch;
}

let connected: Promise<Browser> | undefined;

const browser = (): Promise<Browser> => {
  connected ??= chromium.connect(setting('BROWSER_ENDPOINT'));
  return connected;
};

/** Ends the connection to the browser. A test file calls it when its tests are over. */
export const disconnect = async (): Promise<void> => (await connected)?.close();

/** Opens a page in a new profile. */
export const visit = async (options: BrowserContextOptions = {}): Promise<Visit> => {
  const context = await (await browser()).newContext({
    baseURL: HUB_URL,
    viewport: DESKTOP,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    ...options,
  });
  context.setDefaultTimeout(30_000);
  context.on('page', followRequests);
  const page = await context.newPage();
  return {
    context,
    page,
    watch: watch(page, HUB_URL),
    [Symbol.asyncDispose]: () => context.close(),
  };
};
