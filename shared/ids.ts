/** 2014-01-01, before the history of the demo data. With 41 bits of milliseconds, identifiers last until 2083. */
const EPOCH_MS = 1_388_534_400_000;
const RANDOM_SPAN = 4096;

/**
 * Generates an integer identifier: milliseconds since 2014 in the upper 41 bits, 12 random bits below. It is a safe
 * integer, sorts by time and needs no counter. Two identifiers of the same millisecond are equal with a probability of
 * 1 in 4,096, so writes must be conditional on the identifier being free.
 */
export const integerId = (now: Date, random: (bytes: number) => Buffer): number =>
  (now.getTime() - EPOCH_MS) * RANDOM_SPAN + (random(2).readUInt16BE() % RANDOM_SPAN);

/** Returns the time at which an integer identifier was generated. */
export const timeOfId = (id: number): Date => new Date(EPOCH_MS + Math.floor(id / RANDOM_SPAN));

/** Generates a text identifier of 128 random bits. */
export const textId = (random: (bytes: number) => Buffer): string => random(16).toString('base64url');
