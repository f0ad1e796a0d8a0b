import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { accessibilityFindings } from './accessibility.ts';
import { DESKTOP, PHONE } from './browser.ts';
import { OUTPUT } from './screenshots.ts';

const SIZES = { phone: PHONE, desktop: DESKTOP } as const;
const SCHEMES = ['light', 'dark'] as const;

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
 * Takes screenshots of a page on a phone and a desktop, light and dark, and returns what is wrong: findings of axe, and
 * elements that make the page scroll sideways.
 */
export const look = async (page: Page, name: string): Promise<string[]> => {
  const problems: string[] = [];
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({ path: join(OUTPUT, `${name}-${size}-${colorScheme}.png`), fullPage: true });
      const findings = await accessibilityFindings(page);
      problems.push(...findings.map((finding) => `${size} ${colorScheme}: ${finding}`));
    }
    problems.push(...(await tooWide(page)).map((element) => `${size}: too wide: ${element}`));
  }
  return problems;
};
