/** Part of an answer that was left out. */
interface Cut {
  /** Place in the answer, with `*` for entries of lists and names that users chose. */
  readonly path: string;
  readonly kept: number;
  readonly total: number;
  /** Choice of the kept ones: evenly over a curve, or the first of a list. */
  readonly choice: 'evenly' | 'first';
}

/** Value within the limits of an answer. */
export interface Small {
  readonly value: unknown;
  readonly cuts: readonly Cut[];
}

/** Most characters of an answer as JSON: about 8,000 tokens of a model. */
export const MAX_CHARACTERS = 24_000;

/** Most points of curves, and entries of lists, of ever smaller tries. */
const TRIES = [
  { points: 200, entries: 100 },
  { points: 100, entries: 50 },
  { points: 60, entries: 20 },
  { points: 30, entries: 10 },
  { points: 12, entries: 5 },
  { points: 6, entries: 2 },
] as const;

type Limits =
  | Pick<(typeof TRIES)[number], keyof (typeof TRIES)[number]>
  | { points: number; entries: number };

const MAX_TEXT = 4000;

const isNumber = (value: unknown): boolean => typeof value === 'number' || value === null;

/** Tells whether a value is a point of a curve: a number, or a time with numbers. */
const isPoint = (value: unknown): boolean => {
  if (isNumber(value)) return true;
  if (typeof value !== 'object' || value === null) return false;
  const fields = Object.values(value);
  return fields.length > 1 && fields.length <= 4 && fields.slice(1).every(isNumber);
};

/** Tells whether a list is a curve. Candles are none: thinned ones would hide highs and lows. */
const isCurve = (list: readonly unknown[]): boolean => list.every(isPoint);

/** Returns entries evenly over a list, with the first and the last. */
const evenly = (list: readonly unknown[], count: number): unknown[] =>
  Array.from({ length: count }, (_, at) => list[Math.round((at * (list.length - 1)) / (count - 1))]);

const stepOf = (name: string): string => (/^[a-z][a-z0-9_]{0,40}$/.test(name) ? name : '*');

class Shrinking {
  readonly #cuts = new Map<string, Cut>();
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get cuts(): readonly Cut[] {
    return [...this.#cuts.values()];
  }

  #list(list: readonly unknown[], path: string): unknown[] {
    const curve = isCurve(list);
    const most = curve ? this.#limits.points : this.#limits.entries;
    if (list.length <= most) return list.map((one) => this.value(one, `${path}.*`));
    const known = this.#cuts.get(path);
    // Several lists at one place are reported once, by the longest.
    if (!known || known.total < list.length) {
      this.#cuts.set(path, {
        path: path.replace(/^\./, ''),
        kept: most,
        total: list.length,
        choice: curve ? 'evenly' : 'first',
      });
    }
    return curve ? evenly(list, most) : list.slice(0, most).map((one) => this.value(one, `${path}.*`));
  }

  value(value: unknown, path = ''): unknown {
    if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
    if (Array.isArray(value)) return this.#list(value, path);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, this.value(inner, `${path}.${stepOf(name)}`)]),
    );
  }
}

/**
 * Thins curves and lists until a JSON value is small enough for a model. Curves of the same length keep the same points,
 * and a thinned value still fits the schema of the whole one.
 *
 * @returns undefined if even the smallest form is too large.
 */
export const smallValue = (value: unknown): Small | undefined => {
  for (const limits of TRIES) {
    const shrinking = new Shrinking(limits);
    const small = shrinking.value(value);
    if (JSON.stringify(small).length <= MAX_CHARACTERS) return { value: small, cuts: shrinking.cuts };
  }
  return undefined;
};
