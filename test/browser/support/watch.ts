import type { ConsoleMessage, Page, Request, Response } from 'playwright-core';

/** Faults that a page reported. */
export interface Watch {
  /** Accepts a fault that a test causes on purpose. */
  readonly expect: (fault: RegExp) => void;
  /** Returns the faults since the last call that were not expected. */
  readonly faults: () => string[];
  /** Returns the addresses of all requests and of the page. */
  readonly addresses: () => readonly string[];
}

const LOUD = new Set(['error', 'warning', 'assert']);
/** Chromium reports a failed request on the console too, without its method. */
const FAILED_REQUEST = /^Failed to load resource:/;
/** A page that is left ends its requests. */
const ENDED = 'net::ERR_ABORTED';

const pathOf = (url: string): string => {
  const { pathname } = new URL(url);
  return pathname;
};

/**
 * Collects the faults of a page: errors and warnings on the console, exceptions, dialogs, failed requests, answers with
 * an error, and requests to another origin.
 */
export const watch = (page: Page, origin: string): Watch => {
  const expected: RegExp[] = [];
  let found: string[] = [];
  const addresses: string[] = [];
  const add = (fault: string): void => void found.push(fault);

  page.on('console', (message: ConsoleMessage) => {
    const text = message.text();
    if (LOUD.has(message.type()) && !FAILED_REQUEST.test(text)) add(`console ${message.type()}: ${text}`);
  });
  page.on('pageerror', (error) => add(`exception: ${error.stack ?? error.message}`));
  page.on('dialog', async (dialog) => {
    add(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('framenavigated', (frame) => void addresses.push(frame.url()));
  page.on('request', (request: Request) => {
    addresses.push(request.url());
    const url = new URL(request.url());
    const isOwn = url.origin === origin || url.protocol === 'data:' || url.protocol === 'blob:';
    if (!isOwn) add(`request to another origin: ${url.origin}${url.pathname}`);
  });
  page.on('requestfailed', (request: Request) => {
    const reason = request.failure()?.errorText;
    if (reason !== ENDED) add(`failed: ${request.method()} ${pathOf(request.url())}: ${reason}`);
  });
  page.on('response', (response: Response) => {
    const request = response.request();
    if (response.status() >= 400) add(`${response.status()}: ${request.method()} ${pathOf(request.url())}`);
  });
  return {
    addresses: () => addresses,
    expect: (fault) => void expected.push(fault),
    faults: () => {
      const all = found;
      found = [];
      return all.filter((fault) => !expected.some((pattern) => pattern.test(fault)));
    },
  };
};
