import type { Param } from '../values/values.ts';
import type { Path } from './walk.ts';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isParam = (value: object): value is Param => 'param' in value && typeof value.param === 'string';

/** Yields the references to parameters in rules, with their places. */
export function* paramReferences(value: unknown, path: Path = []): Generator<{ path: Path; name: string }> {
  if (!isObject(value)) return;
  if (isParam(value)) {
    yield { path, name: value.param };
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    yield* paramReferences(member, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

/** Returns a copy of rules in which numbers replace the references to parameters. Unknown ones stay. */
export const replaceReferences = (value: unknown, numbers: ReadonlyMap<string, number>): unknown => {
  if (!isObject(value)) return value;
  if (isParam(value)) return numbers.get(value.param) ?? value;
  if (Array.isArray(value)) return value.map((member: unknown) => replaceReferences(member, numbers));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, replaceReferences(member, numbers)]),
  );
};
