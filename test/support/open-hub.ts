import { afterAll } from '@jest/globals';
import { startHub, type TestHub } from './hub.ts';

/**
 * Starts a hub for the tests of a file and closes it after them. Await it at the top of the file.
 *
 * @param furnish writes the records that the tests need.
 */
export const openHub = async (
  furnish: (hub: TestHub) => Promise<void> = () => Promise.resolve(),
): Promise<TestHub> => {
  const hub = await startHub();
  afterAll(() => hub.close());
  await furnish(hub);
  return hub;
};
