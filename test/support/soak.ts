import { test } from '@jest/globals';

const isSoak = process.env.HUB_TEST_SOAK === 'yes';

/**
 * Returns how many runs or steps a test makes: few in `npm test`, many in `npm run test:soak`, which runs the test
 * files that import this one.
 */
export const soakable = (short: number, long: number): number => (isSoak ? long : short);

/** Declares a test that only `npm run test:soak` runs, since it takes seconds. */
export const inSoak = isSoak ? test : test.skip;
