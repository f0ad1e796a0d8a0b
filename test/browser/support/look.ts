import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { accessibilityFindings } from './accessibility.ts';
import { DESKTOP, PHONE } from './browser.ts';
import { drawn } from './drawn.ts';
import { OUTPUT } from './screenshots.ts';

/** A size of the window and a colour scheme. */
interface View {
  readonly size: 'phone' | 'desktop';
  readonly colorScheme: 'light' | 'dark';
  /** True for a view that is only checked for its colours, without a screenshot. */
  readonly isColourOnly?: true;
}

const SIZES = { phone: PHONE, desktop: DESKTOP } as const;

/** Both sizes and both schemes, in two views. */
export const TWO_VIEWS: readonly View[] = [
  { size: 'phone', colorScheme: 'light' },
  { size: 'desktop', colorScheme: 'dark' },
];

/** Each size in each scheme. The layout is the same in both schemes. */
export const ALL_VIEWS: readonly View[] = [
  ...TWO_VIEWS,
  { size: 'desktop', colorScheme: 'light', isColourOnly: true },
  { size: 'phone', colorScheme: 'dark', isColourOnly: true },
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

/**
 * Takes screenshots of a page, and returns what is wrong in each view: findings of axe, and elements that make the page
 * scroll sideways.
 */
export const look = async (page: Page, name: string, views = TWO_VIEWS): Promise<string[]> => {
  const problems = new Set<string>();
  for (const { size, colorScheme, isColourOnly = false } of views) {
    await page.setViewportSize(SIZES[size]);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await drawn(page);
    if (!isColourOnly) {
      await page.screenshot({ path: join(OUTPUT, `${name}-${size}-${colorScheme}.png`), fullPage: true });
    }
    for (const finding of await accessibilityFindings(page, { isColourOnly })) problems.add(finding);
    for (const element of await tooWide(page)) problems.add(`${size}: too wide: ${element}`);
  }
  return [...problems];
};
