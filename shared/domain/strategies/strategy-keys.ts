/**
 * Keys of a strategy that people pass on. They name the strategy, so that one read finds it, and hold a
 * random part, so that nobody makes them up.
 */
const KEY = /^[sk]_([0-9a-z]{1,11})_[\w-]{16,22}$/;

/** The share key of a strategy: who has it can see and copy a strategy that is not private. */
export const shareKey = (strategyId: number, random: (bytes: number) => Buffer): string =>
  `s_${strategyId.toString(36)}_${random(12).toString('base64url')}`;

/** The deploy key of a strategy: it stands for its owner, and has their strength. */
export const deployKey = (strategyId: number, random: (bytes: number) => Buffer): string =>
  `k_${strategyId.toString(36)}_${random(16).toString('base64url')}`;

/** The id of the strategy that a key names; undefined where the text is no key. */
export const strategyIdOf = (key: string): number | undefined => {
  const digits = KEY.exec(key)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 36);
};
