import type { Page } from 'playwright-core';

const MAX_STOPS = 250;
const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';

/** Marks of the controls that are there at the beginning, of those that were reached, and of the first of them. */
const MARKS = { known: 'data-known', reached: 'data-reached', first: 'data-reached-first' } as const;
type Marks = typeof MARKS;

/** Marks the element with the focus. Returns its description if it shows no focus. */
const reach = ({ reached, first }: Marks) => {
  const { activeElement: element } = document;
  // Behind its last element, a page goes on with the first one.
  if (!element || element === document.body) return { isEnd: false };
  if (element.hasAttribute(first)) return { isEnd: true };
  if (!document.querySelector(`[${first}]`)) element.setAttribute(first, '');
  element.setAttribute(reached, '');
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  const isSeen = (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  return { isEnd: false, unseen: isSeen ? undefined : element.outerHTML.slice(0, 150) };
};

/** Marks the controls that can be reached, and removes the marks of an earlier view of it. */
const begin = ({ marks, controls }: { marks: Marks; controls: string }): void => {
  for (const mark of Object.values(marks)) {
    for (const one of document.querySelectorAll(`[${mark}]`)) one.removeAttribute(mark);
  }
  for (const one of document.querySelectorAll(controls)) {
    const canBeReached =
      one.checkVisibility({ visibilityProperty: true }) &&
      !one.matches(':disabled, [tabindex="-1"], [inert] *');
    if (canBeReached) one.setAttribute(marks.known, '');
  }
};

/** Returns the controls that could be reached from the beginning to the end, and were not. */
const unreached = ({ known, reached }: Marks): string[] => {
  const isRadioOfReachedGroup = (one: Element): boolean =>
    one instanceof HTMLInputElement &&
    one.type === 'radio' &&
    document.querySelector(`input[type="radio"][name="${CSS.escape(one.name)}"][${reached}]`) !== null;
  return [...document.querySelectorAll(`[${known}]:not([${reached}])`)]
    .filter(
      (one) =>
        one.checkVisibility({ visibilityProperty: true }) &&
        !one.matches(':disabled, [tabindex="-1"], [inert] *') &&
        !isRadioOfReachedGroup(one),
    )
    .map((one) => `not reached: ${one.outerHTML.slice(0, 150)}`);
};

/**
 * Goes through a page with the Tab key. Returns the controls that it does not reach, or that show no focus. A live page
 * may get more controls meanwhile, which are left out.
 */
export const tabThrough = async (page: Page): Promise<string[]> => {
  const problems: string[] = [];
  await page.evaluate(begin, { marks: MARKS, controls: CONTROLS });
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    await page.keyboard.press('Tab');
    const { isEnd, unseen } = await page.evaluate(reach, MARKS);
    if (isEnd) break;
    if (unseen) problems.push(`no visible focus: ${unseen}`);
  }
  return [...problems, ...(await page.evaluate(unreached, MARKS))];
};
