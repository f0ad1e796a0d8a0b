/**
 * Subset of EventBridge's event patterns that the rules of this service use: exact values, `prefix`, `anything-but` and
 * `exists`.
 */
export interface EventPattern {
  readonly [field: string]: EventPattern | readonly Matcher[];
}

type Scalar = string | number | boolean | null;
type Matcher =
  | Scalar
  | { readonly prefix: string }
  | { readonly 'anything-but': Scalar | readonly Scalar[] }
  | { readonly exists: boolean };

const isMatchers = (pattern: EventPattern | readonly Matcher[]): pattern is readonly Matcher[] =>
  Array.isArray(pattern);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fits = (matcher: Matcher, value: unknown): boolean => {
  if (!isRecord(matcher)) return value === matcher;
  if ('exists' in matcher) return (value !== undefined) === matcher.exists;
  if ('prefix' in matcher) return typeof value === 'string' && value.startsWith(String(matcher.prefix));
  const refused = [matcher['anything-but']].flat();
  return value !== undefined && !refused.some((one) => one === value);
};

/** Tells whether each field of the pattern matches the event. A list matches if any of its items does. */
export const matchesPattern = (pattern: EventPattern, event: unknown): boolean =>
  Object.entries(pattern).every(([field, expected]) => {
    const value = isRecord(event) && Object.hasOwn(event, field) ? event[field] : undefined;
    if (!isMatchers(expected)) return matchesPattern(expected, value);
    const values = Array.isArray(value) && value.length > 0 ? value : [value];
    return values.some((one) => expected.some((matcher) => fits(matcher, one)));
  });

/** Returns the exact texts that a pattern lists for a field. */
export const listedTexts = (pattern: EventPattern, field: string): string[] => {
  const matchers = pattern[field] ?? [];
  return isMatchers(matchers) ? matchers.filter((matcher) => typeof matcher === 'string') : [];
};
