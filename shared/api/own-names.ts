/** Value of `user_id` that names the user of the session. Ids of users are longer. */
export const ME = 'me';

/** Form of a deploy key that names a strategy of the session's user. Deploy keys begin with `k_`. */
const OWN_STRATEGY = /^strategy:(\d{1,16})$/;

/**
 * Returns the id of the strategy that a `keygen` names by `strategy:<strategy_id>`; undefined for a deploy key.
 *
 * @example
 * ownStrategyIdOf('strategy:1767000000000123'); // 1767000000000123
 */
export const ownStrategyIdOf = (keygen: string): number | undefined => {
  const digits = OWN_STRATEGY.exec(keygen)?.[1];
  if (digits === undefined) return undefined;
  const id = Number(digits);
  return Number.isSafeInteger(id) ? id : undefined;
};
