/**
 * Reads an entry of a record by a name from outside; undefined where the record has none. Plain indexing would
 * find `constructor` in every object.
 */
export const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
