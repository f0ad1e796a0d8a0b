import type { Page } from 'playwright-core';

const MAX_STOPS = 250;
const MARK = 'data-reached';

/** Marks the element with the focus. Returns its description if it shows no focus. */
const reach = (mark: string) => {
  const { activeElement: element } = document;
  // Behind its last element, a page goes on with the first one.
  if (!element || element === document.body) return { isEnd: false };
  if (element.hasAttribute(mark)) return { isEnd: true };
  element.setAttribute(mark, '');
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  const isSeen = (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  return { isEnd: false, unseen: isSeen ? undefined : element.outerHTML.slice(0, 150) };
};

/** Removes the marks of an earlier view of the page. */
const forget = (mark: string): void => {
  for (const one of document.querySelectorAll(`[${mark}]`)) one.removeAttribute(mark);
};

/** Returns the visible controls that were not reached. */
const unreached = (mark: string): string[] => {
  const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
  const isRadioOfReachedGroup = (one: Element): boolean =>
    one instanceof HTMLInputElement &&
    one.type === 'radio' &&
    document.querySelector(`input[type="radio"][name="${CSS.escape(one.name)}"][${mark}]`) !== null;
  return [...document.querySelectorAll(controls)]
    .filter(
      (one) =>
        one.checkVisibility({ visibilityProperty: true }) &&
        !one.matches(':disabled, [tabindex="-1"], [inert] *'),
    )
    .filter((one) => !one.hasAttribute(mark) && !isRadioOfReachedGroup(one))
    .map((one) => `not reached: ${one.outerHTML.slice(0, 150)}`);
};

/** Goes through a page with the Tab key. Returns the controls that it does not reach, or that show no focus. */
export const tabThrough = async (page: Page): Promise<string[]> => {
  const problems: string[] = [];
  await page.evaluate(forget, MARK);
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    await page.keyboard.press('Tab');
    const { isEnd, unseen } = await page.evaluate(reach, MARK);
    if (isEnd) break;
    if (unseen) problems.push(`no visible focus: ${unseen}`);
  }
  return [...problems, ...(await page.evaluate(unreached, MARK))];
};
