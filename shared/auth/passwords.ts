import { argon2 as argon2Callback, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const argon2 = promisify(argon2Callback);

/** OWASP's first recommendation for Argon2id: 19 MiB, 2 passes, 1 lane. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1 } as const;
/** Longer ones are refused when they are set: a bound keeps a request from being a way to burn CPU. */
export const MAX_PASSWORD_LENGTH = 1024;
const TAG_LENGTH = 32;
const SALT_LENGTH = 16;

interface PasswordHash {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly salt: Buffer;
  readonly tag: Buffer;
}

/** The PHC string format, as every Argon2 library writes it. */
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const parse = (hash: string): PasswordHash => {
  const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(hash) ?? [];
  if (!memory) throw new Error('a stored password hash is not in the PHC format of Argon2id');
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
};

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/**
 * Unicode has several spellings of the same text, and keyboards differ in which they send: both sides
 * are compared in NFC, as RFC 8265 (OpaqueString) has it.
 */
const canonical = (password: string): Buffer => Buffer.from(password.normalize('NFC'));

/** Hashes a new password under the present parameters. */
export const hashPassword = async (password: string, random: (bytes: number) => Buffer): Promise<string> => {
  const nonce = random(SALT_LENGTH);
  const tag = await argon2('argon2id', {
    message: canonical(password),
    nonce,
    tagLength: TAG_LENGTH,
    ...PARAMETERS,
  });
  const { memory, passes, parallelism } = PARAMETERS;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
};

/** A hash that no password has: verifying against it takes the time of a real one. */
const NO_ONES = `$argon2id$v=19$m=${PARAMETERS.memory},t=${PARAMETERS.passes},p=${PARAMETERS.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/**
 * Says whether the password is the one behind the hash. Without a hash (no such user, or one without
 * a password) it takes as long and says no.
 */
export const verifyPassword = async (password: string, hash: string | undefined): Promise<boolean> => {
  if (password.length > MAX_PASSWORD_LENGTH) return verifyPassword('', undefined);
  const { memory, passes, parallelism, salt, tag } = parse(hash ?? NO_ONES);
  const computed = await argon2('argon2id', {
    message: canonical(password),
    nonce: salt,
    tagLength: tag.length,
    memory,
    passes,
    parallelism,
  });
  return timingSafeEqual(computed, tag) && hash !== undefined;
};

/** Says whether a hash was made under other parameters than the present ones. */
export const isOutdated = (hash: string): boolean => {
  const { memory, passes, parallelism } = parse(hash);
  return (
    memory !== PARAMETERS.memory || passes !== PARAMETERS.passes || parallelism !== PARAMETERS.parallelism
  );
};
