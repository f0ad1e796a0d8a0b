/**
 * Keys of a strategy that people share. A key contains the strategy's id, so one read finds it, and a random part, so
 * that it cannot be guessed.
 */
const KEY = /^[sk]_([0-9a-z]{1,11})_[\w-]{16,22}$/;

/** Makes the share key of a strategy. Its holders can see and copy a strategy that is not private. */
export const shareKey = (strategyId: number, random: (bytes: number) => Buffer): string =>
  `s_${strategyId.toString(36)}_${random(12).toString('base64url')}`;

/** Makes the deploy key of a strategy. It identifies and authorizes the owner. */
export const deployKey = (strategyId: number, random: (bytes: number) => Buffer): string =>
  `k_${strategyId.toString(36)}_${random(16).toString('base64url')}`;

/** Returns the id of the strategy in a key; undefined if the text is not a key. */
export const strategyIdOf = (key: string): number | undefined => {
  const digits = KEY.exec(key)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 36);
};
