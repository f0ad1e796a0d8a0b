import { median } from './statistics.ts';

/** Range of a figure over several runs. */
interface Range {
  readonly from: number;
  readonly median: number;
  readonly to: number;
}

/** Fields that tell the entries of a list apart. */
const NAMING = ['name', 'what', 'kind', 'operation', 'rules', 'bars'] as const;

/** Names an entry of a list by its own name, or else by its place. */
const nameOf = (entry: unknown, index: number): string => {
  if (typeof entry !== 'object' || entry === null) return String(index);
  const fields = new Map<string, unknown>(Object.entries(entry));
  const named = NAMING.flatMap((key) => (fields.has(key) ? [String(fields.get(key))] : []));
  return named.length > 0 ? named.join(' ') : String(index);
};

/** Returns all numbers of a result by their path. */
const numbersIn = (value: unknown, path: string): [string, number][] => {
  if (typeof value === 'number') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.map((entry: unknown, index) => [nameOf(entry, index), entry])
    : Object.entries(value);
  return entries.flatMap(([name, one]) => numbersIn(one, path === '' ? name : `${path} ${name}`));
};

/**
 * Returns the range of each number of the results of several runs, by its path. Leaves out numbers that are the same in
 * all runs, such as settings, and those that a run lacks.
 *
 * @example
 * rangesOf([{ ratio: 0.5 }, { ratio: 0.4 }, { ratio: 0.6 }]); // { ratio: { from: 0.4, median: 0.5, to: 0.6 } }
 */
export const rangesOf = (results: readonly unknown[]): Record<string, Range> => {
  const runs = results.map((result) => new Map(numbersIn(result, '')));
  const [first = new Map<string, number>()] = runs;
  return Object.fromEntries(
    [...first.keys()].flatMap((path): [string, Range][] => {
      const values = runs.flatMap((run) => run.get(path) ?? []);
      const [from, to] = [Math.min(...values), Math.max(...values)];
      return values.length === runs.length && from < to ? [[path, { from, median: median(values), to }]] : [];
    }),
  );
};
