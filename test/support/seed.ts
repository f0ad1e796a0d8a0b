import * as fc from 'fast-check';

/** Seed of random tests: fixed, so that a commit which passed passes again. `HUB_TEST_SEED` searches other cases. */
export const SEED = Number(process.env.HUB_TEST_SEED ?? 1);

fc.configureGlobal({ seed: SEED });
