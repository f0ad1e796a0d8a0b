/**
 * Keeps what a newer version has stored through a read and a write by this one. Parsing drops the fields that a
 * schema does not name; here they travel with the parsed record, under a symbol that spreading copies and that
 * neither JSON nor a schema takes over, so they reach no answer. Writing puts them back.
 */

type Fields = Record<string, unknown>;

interface Unknown {
  /** Fields that the schema does not name. */
  readonly fields: Fields;
  /** Values that this version reads as another one, by field: an enum's value that it does not know. */
  readonly values: Record<string, { readonly stored: unknown; readonly read: unknown }>;
}

const UNKNOWN = Symbol('unknown fields');

interface Keeping {
  [UNKNOWN]?: Unknown;
}

/** Whether a value is an object of names and values: no array, no set, no bytes. */
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

/** Whether a schema read a value as another one: it only does so where an enum has newer values. */
const isReplaced = (stored: unknown, read: unknown): boolean => {
  if (typeof stored === 'string') return read === null || (typeof read === 'string' && read !== stored);
  // A list leaves values out that it does not know.
  return Array.isArray(stored) && Array.isArray(read) && stored.length !== read.length;
};

/**
 * Remembers in a parsed record, and in the records within, what the schema left out of the stored one.
 *
 * @param except names at the top that are no part of the record.
 */
export const keepUnknown = (stored: unknown, parsed: unknown, except?: ReadonlySet<string>): void => {
  if (Array.isArray(stored) && Array.isArray(parsed)) {
    for (const [index, value] of stored.entries()) {
      if (typeof value === 'object') keepUnknown(value, parsed[index]);
    }
    return;
  }
  if (!isRecord(stored) || !isRecord(parsed) || stored === parsed) return;
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
    } else keepUnknown(value, read);
  }
  if (kept) Object.assign(parsed, { [UNKNOWN]: kept } satisfies Keeping);
};

/**
 * A record as it is to be stored: with the fields that were kept, and with the kept value of a field that is still
 * as it was read. The same record where nothing was kept; records within are left as they are.
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

/** A record that is made anew in the place of another, with what was kept of that one. */
export const withUnknownOf = <T extends object>(before: object & Keeping, made: T): T => {
  const kept = unknownOf(before);
  return kept ? { ...made, [UNKNOWN]: kept } : made;
};

const isPrimitive = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** A value in its {@link storedForm} at any depth. The same value where nothing was kept. */
export const deepStoredForm = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    if (value.every(isPrimitive)) return value;
    const forms = value.map(deepStoredForm);
    return forms.some((form, index) => form !== value[index]) ? forms : value;
  }
  if (!isRecord(value)) return value;
  let form: Fields = storedForm(value);
  for (const name of Object.keys(form)) {
    const inner = form[name];
    const changed = deepStoredForm(inner);
    if (changed === inner) continue;
    if (form === value) form = { ...form };
    form[name] = changed;
  }
  return form;
};
