import { afterAll, expect, test } from '@jest/globals';
import { accessibilityFindings } from './support/accessibility.ts';
import { disconnect, visit } from './support/browser.ts';

afterAll(disconnect);

test('the reference opens without faults', async () => {
  await using visitor = await visit();
  await visitor.page.goto('/docs');
  await visitor.page.getByText('/verify_session').first().waitFor();
  expect(visitor.watch.faults()).toEqual([]);
});

test.each(['light', 'dark'] as const)('everyone can read the messages (%s)', async (colorScheme) => {
  await using visitor = await visit({ colorScheme });
  await visitor.page.goto('/__local/messages');
  await visitor.page.getByRole('heading', { level: 1 }).waitFor();
  expect(visitor.watch.faults()).toEqual([]);
  expect(await accessibilityFindings(visitor.page)).toEqual([]);
});
