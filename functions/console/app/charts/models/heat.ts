/** Colour of a cell: its tone, and how strong it is. Cells also show their number, with its sign. */
export interface Heat {
  readonly tone: 'gain' | 'loss' | 'none';
  /** Part of the strongest colour, from 0 to 1. */
  readonly strength: number;
}

interface HeatOptions {
  /** Value without a colour; 0 by default. */
  readonly neutral?: number;
  /** True if less is better. */
  readonly isLessBetter?: boolean;
}

const NO_HEAT: Heat = { tone: 'none', strength: 0 };

/** Makes the function that colours the values of a map. The value farthest from the neutral one is the strongest. */
export const heatOf = (
  values: Iterable<number | null>,
  { neutral = 0, isLessBetter = false }: HeatOptions = {},
): ((value: number | null) => Heat) => {
  let farthest = 0;
  for (const value of values) {
    if (value !== null && Number.isFinite(value)) farthest = Math.max(farthest, Math.abs(value - neutral));
  }
  return (value) => {
    if (value === null || !Number.isFinite(value) || value === neutral || farthest === 0) return NO_HEAT;
    const isGood = isLessBetter ? value < neutral : value > neutral;
    return { tone: isGood ? 'gain' : 'loss', strength: Math.abs(value - neutral) / farthest };
  };
};
