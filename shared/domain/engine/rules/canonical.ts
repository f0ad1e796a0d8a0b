import type { Rules } from './shape.ts';

const sorted = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
};

/** Returns the canonical text of rules: keys sorted, defaults filled in. Equal rules have equal texts. */
export const canonicalRules = (rules: Rules): string => JSON.stringify(sorted(rules));
