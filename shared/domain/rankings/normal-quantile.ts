/** Returns the value of a polynomial. @param coefficients highest power first. */
const polynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);

const CENTRE = {
  over: [59.10937472, 159.29113202, 50.434271938, 3.3871327179],
  under: [67.1875636, 78.757757664, 17.895169469, 1],
} as const;
const TAIL = {
  over: [0.17023821103, 1.3067284816, 2.75681539, 1.4234372777],
  under: [0.12021132975, 0.7370016425, 1],
} as const;
const FAR_TAIL = {
  over: [0.017337203997, 0.42868294337, 3.081226386, 6.657905115],
  under: [0.012258202635, 0.24197894225, 1],
} as const;

/** Distance from the median up to which the centre is used, and the bound of the tail. */
const CENTRE_TO = 0.425;
const TAIL_TO = 5;
const TAIL_FROM = 1.6;

const fractionOf = (
  { over, under }: { over: readonly number[]; under: readonly number[] },
  x: number,
): number => polynomial(over, x) / polynomial(under, x);

/**
 * Returns the value that a standard normal variable exceeds with a probability between 0 and 1, to seven digits. Takes the
 * probability of the upper tail, which keeps its digits where it is small.
 *
 * Source: Wichura, Algorithm AS 241 (PPND7), Applied Statistics 37 (3), 1988.
 */
export const upperNormalQuantile = (probability: number): number => {
  const distance = 0.5 - probability;
  if (Math.abs(distance) <= CENTRE_TO) return distance * fractionOf(CENTRE, CENTRE_TO ** 2 - distance ** 2);
  const depth = Math.sqrt(-Math.log(Math.min(probability, 1 - probability)));
  const size = depth <= TAIL_TO ? fractionOf(TAIL, depth - TAIL_FROM) : fractionOf(FAR_TAIL, depth - TAIL_TO);
  return Math.sign(distance) * size;
};
