import { afterAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { disconnect, visit } from './support/browser.ts';
import { newPerson } from './support/people.ts';
import { open, settled, signIn } from './support/session.ts';

afterAll(disconnect);

const KB = 1024;
const MAX_BYTES = 60 * KB;

/** Returns the compressed bytes of the page and its scripts and styles, and how many of them came over the network. */
const loadedOf = (page: Page) =>
  page.evaluate(() => {
    const entries = [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ];
    const parts = entries
      .filter((one) => one instanceof PerformanceResourceTiming)
      .filter(({ name }) => new URL(name).pathname.startsWith('/console'));
    return {
      bytes: parts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      transferred: parts.filter(
        ({ transferSize, encodedBodySize }) => transferSize >= encodedBodySize && transferSize > 0,
      ).length,
      readyMs: Math.round(performance.now()),
    };
  });

/** Prints figures of a load. A quiet machine is ready within a second. */
const print = (name: string, { bytes, readyMs }: { bytes: number; readyMs: number }): void =>
  console.log(`${name}: ${(bytes / KB).toFixed(1)} KB, ready after ${readyMs} ms`);

test('the sign-in loads at most 60 KB', async () => {
  await using visitor = await visit();
  await visitor.page.goto('/console');
  await settled(visitor.page);
  const loaded = await loadedOf(visitor.page);
  print('sign-in', loaded);
  expect(loaded.bytes).toBeGreaterThan(KB);
  expect(loaded.bytes).toBeLessThanOrEqual(MAX_BYTES);
});

test('the start of a signed-in user loads at most 60 KB, and a later visit loads the page only', async () => {
  await using visitor = await visit();
  const { page, context } = visitor;
  await signIn(page, await newPerson());
  const second = await context.newPage();
  await open(second, '/');
  const loaded = await loadedOf(second);
  print('home, cached', loaded);
  expect(loaded.bytes).toBeLessThanOrEqual(MAX_BYTES);
  expect(loaded.transferred).toBeLessThanOrEqual(1);
});
