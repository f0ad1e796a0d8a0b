/** Text in place of a missing value. */
export const NONE = '–';

/** Number of an answer; null and undefined if it is missing. */
export type Amount = number | null | undefined;

/** Returns whether a value can be written. */
export const isShown = (value: Amount): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/** Remembers results by their key. */
export const memoised = <K, V>(make: (key: K) => V): ((key: K) => V) => {
  const made = new Map<K, V>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
};

export type WriteNumber = (value: number, options: Intl.NumberFormatOptions) => string;

/** Returns a function that writes numbers for a locale. Making an Intl object costs more than using it. */
export const numberWriter = (locale: string | undefined): WriteNumber => {
  const formatOf = memoised((options: string) => new Intl.NumberFormat(locale, JSON.parse(options)));
  return (value, options) => formatOf(JSON.stringify(options)).format(value);
};
