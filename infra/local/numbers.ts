/** Returns the same numbers for the same seed, from 0 to 1: a linear congruential generator (Numerical Recipes). */
export const numbers = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};
