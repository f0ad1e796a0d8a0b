import { argon2 as argon2Callback, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const argon2 = promisify(argon2Callback);

/** Parameters that OWASP recommends for Argon2id: 19 MiB, 2 passes, 1 lane. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1 } as const;
/** Maximum length of a new password. The bound limits the CPU time of a request. */
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

/** PHC string format, which all Argon2 libraries use. */
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
 * Normalises a password to NFC (RFC 8265, OpaqueString), as keyboards send different Unicode spellings of the same
 * text.
 */
const canonical = (password: string): Buffer => Buffer.from(password.normalize('NFC'));

/** Hashes a new password with the current parameters. */
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

/** Hash that no password matches. Verifying it takes as long as for a real hash. */
const NO_ONES = `$argon2id$v=19$m=${PARAMETERS.memory},t=${PARAMETERS.passes},p=${PARAMETERS.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/**
 * Tells whether a password matches a hash. Without a hash (unknown user, or a user without a password) it takes the
 * same time and returns false.
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

/** Tells whether a hash was made with other parameters than the current ones. */
export const isOutdated = (hash: string): boolean => {
  const { memory, passes, parallelism } = parse(hash);
  return (
    memory !== PARAMETERS.memory || passes !== PARAMETERS.passes || parallelism !== PARAMETERS.parallelism
  );
};
