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

/** Rounds a figure for a table. */
export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/**
 * Measures each contestant once in each round. The order rotates. The first round only warms up. Writes a line to
 * stderr after each round.
 *
 * @returns the measurements of each contestant, by round
 */
export const inTurns = async <C, M>(
  contestants: readonly C[],
  rounds: number,
  measure: (contestant: C, round: number) => Promise<M>,
): Promise<Map<C, M[]>> => {
  const taken = new Map(contestants.map((one): [C, M[]] => [one, []]));
  for (let round = 0; round <= rounds; round += 1) {
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
