import { argon2 as argon2Callback, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const argon2 = promisify(argon2Callback);

/** Cost of a hash: KiB of memory, passes over it, and lanes. */
export interface PasswordCost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** Cost that OWASP recommends for Argon2id: 19 MiB, 2 passes, 1 lane. */
const RECOMMENDED: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 };
/** Maximum length of a new password. The bound limits the CPU time of a request. */
export const MAX_PASSWORD_LENGTH = 1024;
const TAG_LENGTH = 32;
const SALT_LENGTH = 16;

interface PasswordHash extends PasswordCost {
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

/** Dependencies of a hash. */
interface Hashing {
  readonly random: (bytes: number) => Buffer;
  readonly passwordCost?: PasswordCost;
}

const costOf = ({ passwordCost = RECOMMENDED }: Pick<Hashing, 'passwordCost'>): PasswordCost => passwordCost;

/** Returns a hash in the PHC string format. */
const phc = ({ memory, passes, parallelism }: PasswordCost, salt: string, tag: string): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${salt}$${tag}`;

/** Hashes a new password at the current cost. */
export const hashPassword = async (password: string, runtime: Hashing): Promise<string> => {
  const { memory, passes, parallelism } = costOf(runtime);
  const nonce = runtime.random(SALT_LENGTH);
  const tag = await argon2('argon2id', {
    message: canonical(password),
    nonce,
    tagLength: TAG_LENGTH,
    memory,
    passes,
    parallelism,
  });
  return phc({ memory, passes, parallelism }, unpadded(nonce), unpadded(tag));
};

/** Returns a hash that no password matches. Verifying it takes as long as for a real hash. */
const unmatched = (cost: PasswordCost): string => phc(cost, 'A'.repeat(22), 'A'.repeat(43));

/**
 * Tells whether a password matches a hash. Without a hash (unknown user, or a user without a password) it takes the
 * same time and returns false.
 */
export const verifyPassword = async (
  password: string,
  hash: string | undefined,
  runtime: Pick<Hashing, 'passwordCost'>,
): Promise<boolean> => {
  if (password.length > MAX_PASSWORD_LENGTH) return verifyPassword('', undefined, runtime);
  const { memory, passes, parallelism, salt, tag } = parse(hash ?? unmatched(costOf(runtime)));
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

/** Tells whether a hash was made at another cost than the current one. */
export const isOutdated = (hash: string, runtime: Pick<Hashing, 'passwordCost'>): boolean => {
  const { memory, passes, parallelism } = parse(hash);
  const current = costOf(runtime);
  return memory !== current.memory || passes !== current.passes || parallelism !== current.parallelism;
};
