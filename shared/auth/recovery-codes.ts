import { fingerprint } from './key-ring.ts';

const CODES = 10;
/** 80 random bits, so that neither a guess nor a search of the hashes finds one. */
const CODE_BYTES = 10;

/** Returns the hash under which a recovery code of a user is stored. Blanks, hyphens and case do not matter. */
export const recoveryHash = (userId: string, code: string): string =>
  fingerprint(JSON.stringify([userId, code.toLowerCase().replace(/[^0-9a-f]/g, '')]));

/** Makes ten recovery codes, such as `0f3a1-9c2be-77d04-a1b2c`. */
export const newRecoveryCodes = (random: (bytes: number) => Buffer): string[] =>
  Array.from({ length: CODES }, () =>
    random(CODE_BYTES)
      .toString('hex')
      .replace(/(.{5})(?=.)/g, '$1-'),
  );
