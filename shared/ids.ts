/** 2024-01-01: leaves 41 bits of milliseconds room until 2093. */
const EPOCH_MS = 1_704_067_200_000;
const RANDOM_SPAN = 4096;

/**
 * Makes an integer identifier: milliseconds since 2024 in the upper 41 bits, 12 random bits below, so
 * it is a safe integer, sorts by time, and needs no counter. Two made in the same millisecond collide
 * once in 4,096 times: the write that uses one is conditional on its being free.
 */
export const integerId = (now: Date, random: (bytes: number) => Buffer): number =>
  (now.getTime() - EPOCH_MS) * RANDOM_SPAN + (random(2).readUInt16BE() % RANDOM_SPAN);

/** A text identifier of 128 random bits. */
export const textId = (random: (bytes: number) => Buffer): string => random(16).toString('base64url');
