import { afterAll } from '@jest/globals';
import { startWorld } from '../../bench/world.ts';

/** The world of all tests of scenarios, made once, as it takes seconds. */
export const world = await startWorld();
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});
