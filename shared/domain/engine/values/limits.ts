/** Limits of rules. They bound the work per bar and the size of a stored version. */
export const RULES_LIMITS = {
  /** Levels of conditions and arithmetic on one path; a single comparison is level 1. */
  depth: 6,
  /** Comparisons and other conditions without inner conditions, in all entries and exits. */
  conditions: 50,
  /** Indicators that differ in name, arguments, source or timeframe. */
  indicators: 30,
  /** `length`, `ago`, `for_bars`, `valid_bars` and other counts of bars. */
  bars: 500,
  entries: 10,
  exits: 10,
  params: 20,
  trades: 100,
  /** Characters of the canonical form. */
  characters: 32_768,
  /** Magnitude of a literal number. */
  number: 1e15,
} as const;
