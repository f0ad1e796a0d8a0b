/** Returns the median; for an even number of values, the mean of the two in the middle. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
};

/**
 * Returns the ratio of two costs: the median over rounds in which both were measured one
 * after the other, so that other load on the machine affects both.
 */
export const medianRatio = (costs: readonly number[], others: readonly number[]): number =>
  median(costs.map((cost, round) => cost / (others[round] ?? Number.NaN)));

/** Returns the range of the ratios of two costs, measured one after the other in each round, without the outer tenths. */
export const rangeOfRatios = (costs: readonly number[], others: readonly number[]): string => {
  const ratios = costs.map((cost, round) => cost / (others[round] ?? Number.NaN)).toSorted((a, b) => a - b);
  const outer = Math.floor(ratios.length / 10);
  const [from = Number.NaN, to = Number.NaN] = [ratios[outer], ratios.at(-1 - outer)];
  return `${from.toFixed(2)} to ${to.toFixed(2)}`;
};

/** Rounds a figure for a table. */
export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Rounds that a measurement takes at least, however long they take. */
const LEAST_ROUNDS = 3;

/**
 * Measures each contestant once in each round. The order rotates. The first round only warms up. Writes a line to
 * stderr after each round, and says so if time is over before the last one.
 *
 * @param hasTime false if no further round may begin. Three rounds are always made.
 * @returns the measurements of each contestant, by round
 */
export const inTurns = async <C, M>(
  contestants: readonly C[],
  rounds: number,
  measure: (contestant: C, round: number) => Promise<M>,
  hasTime: () => boolean = () => true,
): Promise<Map<C, M[]>> => {
  const taken = new Map(contestants.map((one): [C, M[]] => [one, []]));
  for (let round = 0; round <= rounds; round += 1) {
    if (round > LEAST_ROUNDS && !hasTime()) {
      console.error(`time is over after ${round - 1} of ${rounds} rounds`);
      break;
    }
    // Rotates the order, so that it favours no contestant.
    const order = contestants.map((_, at) => contestants[(at + round) % contestants.length]);
    for (const one of order) {
      if (one === undefined) continue;
      const measured = await measure(one, round);
      if (round > 0) taken.get(one)?.push(measured);
    }
    console.error(round === 0 ? 'warmed up' : `round ${round} of ${rounds}`);
  }
  return taken;
};
