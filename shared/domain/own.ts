/**
 * Reads an entry of a record by an untrusted name; undefined if there is none. Plain indexing would find `constructor`
 * in every object.
 */
export const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
