import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const GRAVE: ReadonlySet<unknown> = new Set(['serious', 'critical']);
const SHOWN = 300;

const ALL_RULES: RunOptions = { resultTypes: ['violations'] };
/** Rules whose result depends on the colour scheme. */
const COLOUR_RULES: RunOptions = {
  ...ALL_RULES,
  runOnly: ['color-contrast', 'link-in-text-block'],
};

/** Returns the serious and critical findings of axe on a page, one for each element. */
export const accessibilityFindings = async (
  page: Page,
  { isColourOnly = false }: { readonly isColourOnly?: boolean } = {},
): Promise<string[]> => {
  // A page keeps the program until it is left.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe.source);
  const options = JSON.stringify(isColourOnly ? COLOUR_RULES : ALL_RULES);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
  return violations
    .filter(({ impact }) => GRAVE.has(impact))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, SHOWN)}: ${failureSummary}`),
    );
};
