/** Combination of parameters with a rank, as `/get_sweep` gives it. */
export interface RankedCombination {
  readonly rank: number;
  readonly params: Readonly<Record<string, number>>;
}

/** Cells of a map over one or two parameters. */
export interface SweepGrid<T extends RankedCombination> {
  /** Values of the first parameter, smallest first. */
  readonly columns: readonly number[];
  /** Values of the second parameter, smallest first; one empty entry without a second parameter. */
  readonly rows: readonly (number | null)[];
  /** Combinations by row and column: the best one of several; null if none is among the best. */
  readonly cells: readonly (readonly (T | null)[])[];
}

const ascending = (values: readonly number[]): number[] =>
  [...new Set(values)].sort((left, right) => left - right);

/** Arranges combinations over one parameter or two. With more parameters, a cell has the best-ranked of its combinations. */
export const sweepGridOf = <T extends RankedCombination>(
  combinations: readonly T[],
  axes: Readonly<Record<string, readonly number[]>>,
  across: string,
  down: string | undefined,
): SweepGrid<T> => {
  const columns = ascending(axes[across] ?? []);
  const rows = down === undefined ? [null] : ascending(axes[down] ?? []);
  const byRank = [...combinations].sort((left, right) => left.rank - right.rank);
  const best = new Map<string, T>();
  for (const combination of byRank) {
    const place = `${combination.params[across]} ${down === undefined ? null : combination.params[down]}`;
    if (!best.has(place)) best.set(place, combination);
  }
  return {
    columns,
    rows,
    cells: rows.map((row) => columns.map((column) => best.get(`${column} ${row}`) ?? null)),
  };
};

/** Returns the parameters that take several values: those that a map can show. */
export const variedParams = (axes: Readonly<Record<string, readonly number[]>>): string[] =>
  Object.entries(axes).flatMap(([name, values]) => (new Set(values).size > 1 ? [name] : []));
