import type * as z from 'zod';

type Issue = z.core.$ZodIssue;
type UnionIssue = Extract<Issue, { code: 'invalid_union' }>;

/** Returns the value at a path of parsed JSON; undefined if there is none. */
export const valueAt = (root: unknown, path: readonly PropertyKey[]): unknown => {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
};

interface Fit {
  readonly branch: readonly Issue[];
  /** Fields of the value that the branch declares. */
  readonly known: number;
  readonly missing: number;
}

/** Rates a branch for a record; undefined if the branch declares none of its fields. */
const fitOf = (branch: readonly Issue[], input: object): Fit | undefined => {
  const keys = Object.keys(input);
  let known = keys.length;
  let missing = 0;
  for (const issue of branch) {
    const [key] = issue.path;
    if (issue.code === 'unrecognized_keys' && key === undefined) known -= issue.keys.length;
    else if (issue.code === 'invalid_type' && key === undefined) return undefined;
    else if (issue.path.length === 1 && key !== undefined && !Object.hasOwn(input, key)) {
      // A record without its discriminator does not report its other fields.
      if (issue.code === 'invalid_union') return undefined;
      missing += 1;
    }
  }
  return known > 0 ? { branch, known, missing } : undefined;
};

/** Returns the issues of the branch that a value was meant for; undefined if it fits none. */
const meantBranch = (issue: UnionIssue, input: unknown): readonly Issue[] | undefined => {
  const mismatched = (branch: readonly Issue[]) =>
    branch.some(
      (each) =>
        each.code === 'invalid_type' &&
        each.path.length === 0 &&
        // A fraction is a number of the wrong kind.
        !(each.expected === 'int' && Number.isFinite(input)),
    );
  const sameType = issue.errors.filter((branch) => !mismatched(branch));
  if (sameType.length <= 1 && !(typeof input === 'object' && input !== null)) return sameType[0];
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const fits = sameType.flatMap((branch) => fitOf(branch, input) ?? []);
  return fits.toSorted((a, b) => b.known - a.known || a.missing - b.missing)[0]?.branch;
};

/**
 * Replaces issues of unions by those of the branch that the value was meant for: the one that declares most of its
 * fields. An issue of a union stays if the value fits no branch.
 *
 * @param root value that was validated.
 */
export const meantIssues = (issues: readonly Issue[], root: unknown): Issue[] =>
  issues.flatMap((issue): Issue[] => {
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
    const branch = meantBranch(issue, valueAt(root, issue.path));
    if (!branch) return [issue];
    const placed = branch.map((each): Issue => ({ ...each, path: [...issue.path, ...each.path] }));
    return meantIssues(placed, root);
  });
