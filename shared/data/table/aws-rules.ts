import type { Item } from './attributes.ts';
import { TABLE } from './table.ts';

/**
 * Refuses calls that AWS refuses and the embedded database accepts, so that tests and the local service find them. The
 * embedded database checks most rules itself; `test/unit/data/aws-rules.test.ts` lists both kinds.
 */

const TOKENS = /[(),=]|[^\s(),=]+/g;
const CLAUSES: ReadonlySet<string> = new Set(['SET', 'REMOVE', 'ADD', 'DELETE']);

/** The parts of an update that its paths depend on. */
interface UpdatePaths {
  readonly update: string;
  readonly names?: Readonly<Record<string, string>>;
}

/** Returns the paths that an update writes, in parts, with the names of placeholders. */
const writtenPaths = ({ update, names }: UpdatePaths): string[][] => {
  const paths: string[][] = [];
  let depth = 0;
  let isTarget = false;
  for (const [token] of update.matchAll(TOKENS)) {
    if (token === '(') depth++;
    else if (token === ')') depth--;
    else if (token === ',') isTarget = depth === 0;
    else if (CLAUSES.has(token)) isTarget = true;
    else if (isTarget) {
      paths.push(token.split(/[.[]/).map((part) => names?.[part] ?? part));
      isTarget = false;
    }
  }
  return paths;
};

const checkPaths = (change: UpdatePaths): void => {
  const paths = writtenPaths(change);
  if (paths.length === 0) throw new TypeError('an update must write an attribute');
  const seen = new Set(paths.map((path) => path.join('\n')));
  for (const path of paths) {
    if (path[0] === TABLE.partitionKey || path[0] === TABLE.sortKey) {
      throw new TypeError(`an update must not write ${path[0]}, which is part of the key`);
    }
    const isInside = path.some((_, depth) => depth > 0 && seen.has(path.slice(0, depth).join('\n')));
    if (isInside || seen.size < paths.length) {
      throw new TypeError(`paths of an update must not overlap: ${path.join('.')}`);
    }
  }
};

/** Updates that were checked, with the names of their placeholders. A function makes the same few all the time. */
const checked = new Set<string>();
const MOST_CHECKED = 1000;

/**
 * Checks the paths of an update expression.
 *
 * @throws TypeError if it writes nothing, a part of the primary key, or a path twice.
 */
export const checkUpdate = (change: UpdatePaths): void => {
  const { update, names = {} } = change;
  let known = update;
  for (const name of Object.keys(names)) known += `\n${name} ${names[name]}`;
  if (checked.has(known)) return;
  checkPaths(change);
  // Names of some placeholders are those of callers, so there is no end of them.
  if (checked.size >= MOST_CHECKED) checked.clear();
  checked.add(known);
};

/** The parts of a Query call that its keys depend on. */
interface QueryKeys {
  readonly KeyConditionExpression?: string | undefined;
  readonly IndexName?: string | undefined;
}

/**
 * Checks the values that a query compares with keys.
 *
 * @throws TypeError if one of them is an empty string, or not a string although the keys of the table are strings.
 */
export const checkQuery = (
  { KeyConditionExpression: condition, IndexName: index }: QueryKeys,
  values: Item,
): void => {
  for (const [name, value] of Object.entries(values)) {
    const isText = typeof value === 'string';
    if (!condition?.includes(name) || (isText ? value !== '' : index)) continue;
    throw new TypeError(`a key condition must compare with a text: ${name}`);
  }
};
