import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { accessibilityFindings } from './accessibility.ts';
import { DESKTOP, PHONE } from './browser.ts';
import { OUTPUT } from './screenshots.ts';

/** A size of the window and a colour scheme. */
interface View {
  readonly size: 'phone' | 'desktop';
  readonly colorScheme: 'light' | 'dark';
}

const SIZES = { phone: PHONE, desktop: DESKTOP } as const;

/** Both sizes and both schemes, in two views. */
export const TWO_VIEWS: readonly View[] = [
  { size: 'phone', colorScheme: 'light' },
  { size: 'desktop', colorScheme: 'dark' },
];

/** Each size in each scheme. */
export const ALL_VIEWS: readonly View[] = [
  ...TWO_VIEWS,
  { size: 'desktop', colorScheme: 'light' },
  { size: 'phone', colorScheme: 'dark' },
];

/** Returns the elements that make the page wider than the window, the outermost first. */
const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.body.querySelectorAll('*')].filter(
      (one) => one.getBoundingClientRect().right > clientWidth + 1,
    );
    return [`${scrollWidth} px`, ...wide.slice(0, 5).map((one) => one.outerHTML.slice(0, 120))];
  });

/** Waits until the page was drawn in the new colours. */
const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
      }),
  );

/**
 * Takes a screenshot of a page in each view, and returns what is wrong: findings of axe, and elements that make the page
 * scroll sideways.
 */
export const look = async (page: Page, name: string, views = ALL_VIEWS): Promise<string[]> => {
  const problems = new Set<string>();
  for (const { size, colorScheme } of views) {
    await page.setViewportSize(SIZES[size]);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await drawn(page);
    await page.screenshot({ path: join(OUTPUT, `${name}-${size}-${colorScheme}.png`), fullPage: true });
    for (const finding of await accessibilityFindings(page)) problems.add(finding);
    for (const element of await tooWide(page)) problems.add(`${size}: too wide: ${element}`);
  }
  return [...problems];
};
