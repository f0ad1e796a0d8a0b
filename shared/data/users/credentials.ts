import * as z from 'zod';
import type { LinkGroup } from '../../domain/deployments/notification-preferences.ts';
import { openEnum } from '../../domain/open-enum.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Condition, Write } from '../table/writes.ts';

const MAX_ATTEMPTS = 5;
const WINDOW_MS = 15 * 60_000;
/** Seconds for which the failed attempts of an unknown e-mail are kept. */
const KEEP_S = 24 * 3600;

/**
 * Expiry of credentials, in epoch seconds. Failed attempts for unknown e-mails share the item type and expire; credentials
 * never do.
 */
export const NEVER_S = 253_402_300_799;

/** Hashes of the tokens of unsubscribe links, by the group of their mails. */
const linkHashes = z.object({
  signals: z.string().optional(),
  fills: z.string().optional(),
  orders: z.string().optional(),
  status: z.string().optional(),
  risk: z.string().optional(),
  all: z.string().optional(),
}) satisfies z.ZodType<{ readonly [G in LinkGroup]?: string | undefined }>;

export const credentialsSchema = z.object({
  /** Absent for an unknown e-mail, for which only attempts are counted, and for a reserved one. */
  user_id: z.string().optional(),
  password_hash: z.string().optional(),
  password_version: z.number().optional(),
  /** Nonce of the tokens of unsubscribe links, and by group the hash of the token of the last mail. */
  unsubscribe_links: z.object({ nonce: z.string(), token_hashes: linkHashes }).optional(),
  /** Present while no mail goes to the address, except codes that the owner requests. */
  mail_stopped: z.object({ reason: openEnum(['bounce', 'complaint'], 'bounce'), at: z.number() }).optional(),
  /** Epoch milliseconds of the last proof of the address by its owner. */
  mail_restored_at: z.number().optional(),
  attempts: z.number().optional(),
  /** Epoch milliseconds of the first attempt in the window. */
  attempts_from: z.number().optional(),
  /** User who had the e-mail before, and the epoch second until which nobody gets it. */
  reserved: z.object({ user_id: z.string(), until: z.number() }).optional(),
});

export type Credentials = z.output<typeof credentialsSchema>;

/** Parses the credentials of an e-mail; empty for an unknown e-mail without attempts. */
export const asCredentials = (item: Item | undefined): Credentials =>
  parseItem(credentialsSchema, item ?? {});

const isOpen = ({ attempts_from: from }: Credentials, now: Date): boolean =>
  from !== undefined && from > now.getTime() - WINDOW_MS;

/** Returns until when (epoch ms) an e-mail accepts no passwords; undefined if it accepts them now. */
export const lockedUntil = (credentials: Credentials, now: Date): number | undefined => {
  const { attempts = 0, attempts_from: from = 0 } = credentials;
  return isOpen(credentials, now) && attempts >= MAX_ATTEMPTS ? from + WINDOW_MS : undefined;
};

/**
 * Returns the write that counts a wrong password. Its condition fails after five in 15 minutes. Unknown e-mails are
 * treated the same.
 *
 * @param credentials as just read.
 */
export const wrongPasswordWrite = (email: string, credentials: Credentials, now: Date): Write => {
  const at = now.getTime();
  const keep = 'expires_at_s = if_not_exists(expires_at_s, :expiry), entity = :entity';
  const values = {
    ':at': at,
    ':one': 1,
    ':expiry': Math.floor(at / 1000) + KEEP_S,
    ':entity': 'credentials',
  };
  const key = keys.credentials(email);
  if (credentials.attempts_from === undefined || isOpen(credentials, now)) {
    return {
      key,
      update: `SET attempts = if_not_exists(attempts, :none) + :one, attempts_from = if_not_exists(attempts_from, :at), ${keep}`,
      condition: 'attribute_not_exists(attempts_from) OR (attempts_from > :since AND attempts < :max)',
      values: { ...values, ':none': 0, ':since': at - WINDOW_MS, ':max': MAX_ATTEMPTS },
    };
  }
  return {
    key,
    update: `SET attempts = :one, attempts_from = :at, ${keep}`,
    // Fails if another request started the new window at the same moment.
    condition: 'attempts_from = :from',
    values: { ...values, ':from': credentials.attempts_from },
  };
};

/** Returns the condition that nobody has an e-mail. Its item may be left until the table removes it. */
export const freeEmail = (now: Date): Condition => ({
  condition: 'attribute_not_exists(user_id) AND (attribute_not_exists(reserved) OR reserved.#until <= :now)',
  names: { '#until': 'until' },
  values: { ':now': Math.floor(now.getTime() / 1000) },
});

/** An e-mail and its user, as just read. A write to its credentials fails once it is the e-mail of another user. */
interface Owned {
  readonly email: string;
  readonly user_id: string;
}

/**
 * Returns the write that clears failed attempts after a right password. Its condition fails while the e-mail is locked.
 *
 * @param rehashed the same password hashed with current parameters. Use it only in a transaction that fails if the
 *   password was changed meanwhile.
 */
export const forgetAttemptsWrite = (
  { email, user_id }: Owned,
  now: Date,
  rehashed: string | undefined,
): Write => ({
  key: keys.credentials(email),
  update: `${rehashed === undefined ? '' : 'SET password_hash = :rehashed '}REMOVE attempts, attempts_from`,
  condition:
    'user_id = :user AND (attribute_not_exists(attempts_from) OR attempts_from <= :since OR attempts < :max)',
  values: {
    ':user': user_id,
    ':since': now.getTime() - WINDOW_MS,
    ':max': MAX_ATTEMPTS,
    ...(rehashed !== undefined && { ':rehashed': rehashed }),
  },
});

/** Returns the write that stores the same password under current hash parameters. See {@link forgetAttemptsWrite}. */
export const rehashWrite = ({ email, user_id }: Owned, rehashed: string): Write => ({
  key: keys.credentials(email),
  update: 'SET password_hash = :rehashed',
  condition: 'user_id = :user',
  values: { ':rehashed': rehashed, ':user': user_id },
});

/** Returns the write of another password by its owner. Its condition fails if it changed since it was checked. */
export const changedPasswordWrite = (
  { email, user_id, password_version }: Owned & { readonly password_version: number },
  passwordHash: string,
): Write => ({
  key: keys.credentials(email),
  update:
    'SET password_hash = :hash, password_version = password_version + :one REMOVE attempts, attempts_from',
  condition: 'user_id = :user AND password_version = :version',
  values: { ':hash': passwordHash, ':one': 1, ':user': user_id, ':version': password_version },
});

/** Returns the write that lets mail through again, after a code of a mail came back. */
export const restoredMailWrite = ({ email, user_id }: Owned, now: Date): Write => ({
  key: keys.credentials(email),
  update: 'SET mail_restored_at = :now REMOVE mail_stopped',
  condition: 'user_id = :user',
  values: { ':now': now.getTime(), ':user': user_id },
});

/** Returns the write that sets a new password after a mailed code: clears failed attempts, and lets mail through again. */
export const newPasswordWrite = ({ email, user_id }: Owned, passwordHash: string, now: Date): Write => ({
  key: keys.credentials(email),
  update:
    'SET password_hash = :hash, password_version = password_version + :one, mail_restored_at = :now REMOVE attempts, attempts_from, mail_stopped',
  condition: 'user_id = :user',
  values: { ':hash': passwordHash, ':one': 1, ':now': now.getTime(), ':user': user_id },
});
