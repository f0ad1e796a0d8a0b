/**
 * Reads an entry of a record by an untrusted name; undefined if there is none. Plain indexing would find `constructor`
 * in every object.
 */
export const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/**
 * Keeps the fields of a newer version when this version reads and writes a record. Parsing drops fields that a schema
 * does not name; here they stay with the parsed record under a symbol. Spreading copies the symbol, but JSON and
 * schemas ignore it, so the fields reach no answer. Writing adds them again.
 */

type Fields = Record<string, unknown>;

interface Unknown {
  /** Fields that the schema does not name. */
  readonly fields: Fields;
  /** Stored values that this version reads as other ones, by field: unknown enum values. */
  readonly values: Record<string, { readonly stored: unknown; readonly read: unknown }>;
}

const UNKNOWN = Symbol('unknown fields');

interface Keeping {
  [UNKNOWN]?: Unknown;
}

/**
 * Set once a record other than an item keeps something. Until then {@link deepStoredForm} need not look for such records.
 * Items keep attributes that are only for other readers, and are no part of other records.
 */
let isAnyKept = false;

/** Returns whether a value is a plain object: no array, set or bytes. */
export const isRecord = (value: unknown): value is Fields => {
  if (typeof value !== 'object' || value === null) return false;
  // The prototype decides: `constructor` may be a key of the record itself.
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const unknownOf = (record: Keeping): Unknown | undefined => record[UNKNOWN];

const isSame = (left: unknown, right: unknown): boolean =>
  left === right ||
  (Array.isArray(left) &&
    Array.isArray(right) &&
    left.length === right.length &&
    left.every((value, index) => value === right[index]));

/** Returns whether a schema replaced a value, which it does only for unknown enum values. */
const isReplaced = (stored: unknown, read: unknown): boolean => {
  if (typeof stored === 'string') return read === null || (typeof read === 'string' && read !== stored);
  // A list omits values that it does not know.
  return Array.isArray(stored) && Array.isArray(read) && stored.length !== read.length;
};

/** Remembers the dropped parts of a record and of the records inside it. Returns whether the record itself has some. */
const keepIn = (stored: unknown, parsed: unknown, except?: ReadonlySet<string>): boolean => {
  if (Array.isArray(stored) && Array.isArray(parsed)) {
    for (const [index, value] of stored.entries()) {
      if (typeof value === 'object') keepInside(value, parsed[index]);
    }
    return false;
  }
  if (!isRecord(stored) || !isRecord(parsed) || stored === parsed) return false;
  let kept: Unknown | undefined;
  for (const name of Object.keys(stored)) {
    const value = stored[name];
    if (!Object.hasOwn(parsed, name)) {
      if (except?.has(name) || value === undefined) continue;
      kept ??= { fields: {}, values: {} };
      kept.fields[name] = value;
      continue;
    }
    const read = parsed[name];
    if (value === read) continue;
    if (isReplaced(value, read)) {
      kept ??= { fields: {}, values: {} };
      kept.values[name] = { stored: value, read };
    } else keepInside(value, read);
  }
  if (kept) Object.assign(parsed, { [UNKNOWN]: kept } satisfies Keeping);
  return kept !== undefined;
};

const keepInside = (stored: unknown, parsed: unknown): void => {
  if (keepIn(stored, parsed)) isAnyKept = true;
};

/**
 * Remembers in a parsed record, and in nested records, the parts of the stored record that the schema dropped.
 *
 * @param except of an item: attributes that are not part of the record.
 */
export const keepUnknown = (stored: unknown, parsed: unknown, except?: ReadonlySet<string>): void => {
  if (keepIn(stored, parsed, except) && !except) isAnyKept = true;
};

/**
 * Returns the form of a record to store: with the kept fields, and the kept value of each field that is unchanged since
 * it was read. Returns the same record if nothing was kept; does not change nested records.
 */
export const storedForm = (record: Readonly<Fields>): Readonly<Fields> => {
  const kept = unknownOf(record);
  if (!kept) return record;
  const form: Fields = { ...kept.fields };
  for (const [name, value] of Object.entries(record)) form[name] = value;
  for (const [name, { stored, read }] of Object.entries(kept.values)) {
    if (isSame(form[name], read)) form[name] = stored;
  }
  return form;
};

/** Returns a rebuilt record with the fields that were kept of the one it replaces. */
export const withUnknownOf = <T extends object>(before: object & Keeping, made: T): T => {
  const kept = unknownOf(before);
  return kept ? { ...made, [UNKNOWN]: kept } : made;
};

const isPrimitive = (value: unknown): boolean => typeof value !== 'object' || value === null;

const formAtDepth = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    if (value.every(isPrimitive)) return value;
    const forms = value.map(formAtDepth);
    return forms.some((form, index) => form !== value[index]) ? forms : value;
  }
  if (!isRecord(value)) return value;
  let form: Fields = storedForm(value);
  for (const name of Object.keys(form)) {
    const inner = form[name];
    const changed = formAtDepth(inner);
    if (changed === inner) continue;
    if (form === value) form = { ...form };
    form[name] = changed;
  }
  return form;
};

/** Returns the {@link storedForm} of a value at any depth; the same value if nothing was kept. */
export const deepStoredForm = (value: unknown): unknown => {
  if (isAnyKept) return formAtDepth(value);
  return isRecord(value) ? storedForm(value) : value;
};
