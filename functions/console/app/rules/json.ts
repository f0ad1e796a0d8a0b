/** Value of a JSON text. */
export type Json = null | boolean | number | string | readonly Json[] | JsonRecord;
export interface JsonRecord {
  readonly [key: string]: Json;
}

/** Place in a JSON value: keys of records and indexes of lists. */
export type Path = readonly (string | number)[];

export const isRecord = (value: Json | undefined): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** Returns a key for a path, for maps and element ids. */
export const pathKey = (path: readonly PropertyKey[]): string =>
  path.map((key) => String(key).replace(/[^\w-]/g, (mark) => `~${mark.charCodeAt(0)}`)).join('.');

export const isWithin = (path: Path, outer: Path): boolean =>
  outer.length <= path.length && outer.every((key, index) => String(key) === String(path[index]));

/** Reads a member of a record or list; undefined if there is none. */
const memberOf = (value: Json | undefined, key: string | number): Json | undefined => {
  if (isList(value)) return value[Number(key)];
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
};

/** Reads the value at a path; undefined if there is none. */
export const getAt = (root: Json, path: Path): Json | undefined => {
  let value: Json | undefined = root;
  for (const key of path) value = memberOf(value, key);
  return value;
};

/**
 * Returns a copy with the value at a path changed. Undefined removes a field of a record or a member of a list. No-op
 * for a member that a list does not have.
 */
export const changeAt = (
  root: Json,
  path: Path,
  change: (value: Json | undefined) => Json | undefined,
): Json => {
  const [key, ...rest] = path;
  if (key === undefined) return change(root) ?? null;
  const member = memberOf(root, key);
  if (isList(root) && member === undefined) return root;
  const next = rest.length === 0 ? change(member) : changeAt(member ?? {}, rest, change);
  if (isList(root)) {
    const index = Number(key);
    return next === undefined ? root.toSpliced(index, 1) : root.with(index, next);
  }
  const fields = isRecord(root) ? root : {};
  if (next !== undefined) return { ...fields, [key]: next };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== String(key)));
};

export const setAt = (root: Json, path: Path, value: Json): Json => changeAt(root, path, () => value);

export const removeAt = (root: Json, path: Path): Json =>
  getAt(root, path) === undefined ? root : changeAt(root, path, () => undefined);

/** Returns a copy with a list at a path changed. A missing list is an empty one. */
export const changeList = (
  root: Json,
  path: Path,
  change: (members: readonly Json[]) => readonly Json[],
): Json => changeAt(root, path, (value) => change(isList(value) ? value : []));

/** Copies a value that came as JSON. */
export const jsonOf = (value: object): Json => JSON.parse(JSON.stringify(value));
