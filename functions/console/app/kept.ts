/** Values by user and place, which outlive their screen: a session that ends must not cost what people typed. */
export interface KeptValues<T> {
  /**
   * Keeps a value until the page is closed; undefined forgets it.
   *
   * @param owner key of the user whose value it is, who may be signed out by now.
   */
  readonly keep: (owner: string, place: string, value: T | undefined) => void;
  /** Returns the value that a user has left in a place. */
  readonly find: (owner: string, place: string) => T | undefined;
}

const keyOf = (owner: string, place: string): string => JSON.stringify([owner, place]);

/** Makes a place for values of a type. Never keep a password, a code, a token or a key. */
export const keptValues = <T>(): KeptValues<T> => {
  const values = new Map<string, T>();
  return {
    keep: (owner, place, value) => {
      if (value === undefined) values.delete(keyOf(owner, place));
      else values.set(keyOf(owner, place), value);
    },
    find: (owner, place) => values.get(keyOf(owner, place)),
  };
};
