import type { PushReason, pushSupport } from '../../push.ts';

const SUPPORT = {
  insecure:
    'Push messages need a page that was opened by https. Open the console by https to switch them on.',
  unsupported:
    'This browser has no push messages here. Use a current Chrome, Edge, Firefox or Safari, not in a private window.',
  denied:
    'This browser blocks notifications of this page. Allow them in its settings of the page, then reload.',
  possible: undefined,
} as const;

/** Explains why a browser cannot have push messages; undefined if it can. */
export const supportText = (support: ReturnType<typeof pushSupport>): string | undefined => SUPPORT[support];

const REASONS: Readonly<Record<PushReason, string>> = {
  denied: SUPPORT.denied,
  dismissed: 'The browser was not allowed to show notifications. Switch on again and allow them.',
  'no-service':
    'The push service of this browser cannot be reached, or is switched off. Try again later or in another browser.',
  'not-started': 'The browser did not start the part that shows messages. Reload the page and try again.',
};

/** Explains why switching on failed. */
export const reasonText = (reason: PushReason): string => REASONS[reason];

const endpointOf = (key: string): unknown => {
  try {
    const value: unknown = JSON.parse(key);
    return typeof value === 'object' && value !== null && 'endpoint' in value ? value.endpoint : undefined;
  } catch {
    return undefined; // The token of an app is no JSON.
  }
};

/** Tells whether two push keys are of the same browser. */
export const isSameBrowser = (key: string, here: string | undefined): boolean =>
  here !== undefined && endpointOf(here) !== undefined && endpointOf(key) === endpointOf(here);
