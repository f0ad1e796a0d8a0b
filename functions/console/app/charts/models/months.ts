/** Return of a month, as `/get_backtest` gives it. */
export interface MonthReturn {
  /** Month as `2024-03`. */
  readonly month: string;
  readonly return_pct: number;
}

/** Year of a map of months. */
export interface YearRow {
  readonly year: number;
  /** Twelve months; null without a figure. */
  readonly months: readonly (number | null)[];
  /** Returns of the months compounded, in percent points. */
  readonly total: number;
}

const MONTHS = 12;

/** Arranges returns of months by year, oldest first. */
export const yearsOf = (months: readonly MonthReturn[]): YearRow[] => {
  const years = new Map<number, (number | null)[]>();
  for (const { month, return_pct } of months) {
    const [, year, number] = /^(\d{4})-(\d{2})$/.exec(month) ?? [];
    const index = Number(number) - 1;
    if (year === undefined || index < 0 || index >= MONTHS || !Number.isFinite(return_pct)) continue;
    const row = years.get(Number(year)) ?? Array.from({ length: MONTHS }, () => null);
    row[index] = return_pct;
    years.set(Number(year), row);
  }
  return [...years]
    .sort(([left], [right]) => left - right)
    .map(([year, row]) => ({
      year,
      months: row,
      total: (row.reduce<number>((growth, points) => growth * (1 + (points ?? 0) / 100), 1) - 1) * 100,
    }));
};

/** Tells whether the account moved in a year. */
const hasMoved = ({ months }: YearRow): boolean => months.some((value) => value !== null && value !== 0);

/** Divides years into those in which the account moved, and the ranges of the others: `1962–1984`. */
export const movedYears = (
  years: readonly YearRow[],
): { readonly moved: readonly YearRow[]; readonly still: readonly string[] } => {
  const ranges: { from: number; to: number }[] = [];
  for (const { year } of years.filter((row) => !hasMoved(row))) {
    const last = ranges.at(-1);
    if (last?.to === year - 1) last.to = year;
    else ranges.push({ from: year, to: year });
  }
  return {
    moved: years.filter(hasMoved),
    still: ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`)),
  };
};

/** Names a month of a year, counted from 0, as answers do: `2024-03`. */
export const monthOf = (year: number, index: number): string =>
  `${year}-${String(index + 1).padStart(2, '0')}`;
