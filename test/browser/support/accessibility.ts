import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const GRAVE: ReadonlySet<unknown> = new Set(['serious', 'critical']);
const SHOWN = 300;

/** Returns the serious and critical findings of axe on a page, one for each element. */
export const accessibilityFindings = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>('axe.run(document)');
  return violations
    .filter(({ impact }) => GRAVE.has(impact))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, SHOWN)}: ${failureSummary}`),
    );
};
