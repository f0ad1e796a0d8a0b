import { isRecord } from '../../domain/unknown-fields.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Describes a field whose records have a fixed order of their own. */
interface Inner {
  /** `record`: the value is such a record; `list`: a list of them; `map`: a record of them by name. */
  readonly kind: 'record' | 'list' | 'map';
  readonly order: FieldOrder;
}

/** The order in which the values of a kind of record are stored. */
export interface FieldOrder {
  readonly names: readonly string[];
  readonly known: ReadonlySet<string>;
  /** By the index of the field; undefined for one whose value is stored as it is. */
  readonly inner: readonly (Inner | undefined)[];
}

/** Returns the order of fields whose names are given in lines, and what the fields with records inside hold. */
export const fieldOrder = (
  lines: readonly string[],
  inside: Readonly<Record<string, Inner>> = {},
): FieldOrder => {
  const names = lines.join(' ').split(' ');
  return { names, known: new Set(names), inner: names.map((name) => inside[name]) };
};

/** Stands before the values: 0 for nothing, the indexes of absent fields, or these and other fields by name. */
type Head = 0 | number[] | { absent: number[]; more: Record<string, unknown> };

/** Returns the stored form of a value with records inside; undefined for one of another kind, which keeps its names. */
const innerValues = ({ kind, order }: Inner, value: unknown): unknown => {
  if (kind === 'list') {
    return Array.isArray(value) && value.every(isRecord)
      ? value.map((record) => valuesOf(order, record))
      : undefined;
  }
  if (kind === 'record') {
    if (isRecord(value)) return valuesOf(order, value);
    return Array.isArray(value) ? undefined : value;
  }
  if (!isRecord(value)) return undefined;
  const values: [string, unknown][] = [];
  for (const name of Object.keys(value)) {
    const record = value[name];
    if (!isRecord(record)) return undefined;
    values.push([name, valuesOf(order, record)]);
  }
  return Object.fromEntries(values);
};

/**
 * Returns the values of a record as a list: a head, and the value of each field that the record has, in their order.
 * Fields outside the order are kept by name in the head, so a new field needs no new order.
 *
 * @param count how many fields of the order to list. The caller adds the values of the others, which the record lacks.
 */
export const valuesOf = (
  { names, known, inner }: FieldOrder,
  record: Fields,
  count = names.length,
): unknown[] => {
  const absent: number[] = [];
  const values: unknown[] = [0];
  const more: [string, unknown][] = [];
  let found = 0;
  for (let index = 0; index < count; index++) {
    const name = names[index] ?? '';
    const value = record[name];
    if (value === undefined) {
      absent.push(index);
      continue;
    }
    found += 1;
    const within = inner[index];
    const stored = within === undefined ? value : innerValues(within, value);
    if (stored !== undefined) values.push(stored);
    else {
      absent.push(index);
      more.push([name, value]);
    }
  }
  const own = Object.keys(record);
  // Mostly the order knows all fields.
  if (own.length > found) {
    for (const name of own) {
      if (!known.has(name) && record[name] !== undefined) more.push([name, record[name]]);
    }
  }
  if (more.length > 0) values[0] = { absent, more: Object.fromEntries(more) } satisfies Head;
  else if (absent.length > 0) values[0] = absent satisfies Head;
  return values;
};

const damaged = (): TypeError => new TypeError('the listed values do not fit their order');

const headOf = (head: unknown): { readonly absent: readonly unknown[]; readonly more?: Fields } => {
  if (head === 0) return { absent: [] };
  if (Array.isArray(head)) return { absent: head };
  if (!isRecord(head) || !Array.isArray(head.absent) || !isRecord(head.more)) throw damaged();
  return { absent: head.absent, more: head.more };
};

const namedInner = ({ kind, order }: Inner, value: unknown): unknown => {
  if (kind === 'record') return Array.isArray(value) ? recordOf(order, value) : value;
  if (kind === 'list') {
    if (!Array.isArray(value)) throw damaged();
    return value.map((values) => recordOf(order, values));
  }
  if (!isRecord(value)) throw damaged();
  return Object.fromEntries(
    Object.entries(value).map(([name, values]) => [name, recordOf(order, values)] as const),
  );
};

/** Returns the record whose values {@link valuesOf} has listed. @throws TypeError for other values */
export const recordOf = ({ names, inner }: FieldOrder, values: unknown): Fields => {
  if (!Array.isArray(values)) throw damaged();
  const { absent, more } = headOf(values[0]);
  const record: Record<string, unknown> = {};
  let passed = 0;
  for (const [index, name] of names.entries()) {
    if (absent[passed] === index) {
      passed += 1;
      continue;
    }
    const value: unknown = values[1 + index - passed];
    const within = inner[index];
    record[name] = within === undefined ? value : namedInner(within, value);
  }
  if (passed !== absent.length || values.length !== 1 + names.length - passed) throw damaged();
  return more ? { ...record, ...more } : record;
};
