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

/** Returns the canonical JSON of a value (RFC 8785): keys sorted, no spaces. Equal values have equal texts. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value));
