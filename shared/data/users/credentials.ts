import * as z from 'zod';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import { ConditionFailedError, type Store, type Write } from '../table/store.ts';

const MAX_ATTEMPTS = 5;
const WINDOW_MS = 15 * 60_000;
/** How long the attempts at an e-mail of nobody are kept. */
const KEEP_S = 24 * 3600;

const credentialsSchema = z.object({
  /** Absent for an unknown e-mail, of which only attempts are counted. */
  user_id: z.string().optional(),
  password_hash: z.string().optional(),
  password_version: z.number().optional(),
  mail_subscribed: z.boolean().optional(),
  attempts: z.number().optional(),
  /** Epoch milliseconds of the first attempt in the window. */
  attempts_from: z.number().optional(),
});

export type Credentials = z.output<typeof credentialsSchema>;

/** Parses what is stored of an e-mail; empty for one that has neither an owner nor attempts. */
export const asCredentials = (item: Readonly<Record<string, unknown>> | undefined): Credentials =>
  parseItem(credentialsSchema, item ?? {});

const isOpen = ({ attempts_from: from }: Credentials, now: Date): boolean =>
  from !== undefined && from > now.getTime() - WINDOW_MS;

/** Until when (epoch ms) an e-mail takes no more passwords; undefined while it does. */
export const lockedUntil = (credentials: Credentials, now: Date): number | undefined => {
  const { attempts = 0, attempts_from: from = 0 } = credentials;
  return isOpen(credentials, now) && attempts >= MAX_ATTEMPTS ? from + WINDOW_MS : undefined;
};

/**
 * Counts a wrong password; refused after five in 15 minutes. An e-mail of nobody is treated alike.
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
    // Refused where others started the new window in the same instant.
    condition: 'attempts_from = :from',
    values: { ...values, ':from': credentials.attempts_from },
  };
};

/**
 * Forgets wrong passwords after a right one; refused where the e-mail takes no more.
 *
 * @param rehashed the same password under the present parameters. Only in a transaction that is refused when the
 *   password is another one by now.
 */
export const forgetAttemptsWrite = (email: string, now: Date, rehashed: string | undefined): Write => ({
  key: keys.credentials(email),
  update: `${rehashed === undefined ? '' : 'SET password_hash = :rehashed '}REMOVE attempts, attempts_from`,
  condition:
    'attribute_exists(user_id) AND (attribute_not_exists(attempts_from) OR attempts_from <= :since OR attempts < :max)',
  values: {
    ':since': now.getTime() - WINDOW_MS,
    ':max': MAX_ATTEMPTS,
    ...(rehashed !== undefined && { ':rehashed': rehashed }),
  },
});

/** Keeps the same password under the present parameters; conditions as for {@link forgetAttemptsWrite}. */
export const rehashWrite = (email: string, rehashed: string): Write => ({
  key: keys.credentials(email),
  update: 'SET password_hash = :rehashed',
  condition: 'attribute_exists(user_id)',
  values: { ':rehashed': rehashed },
});

/** Sets another password, and forgets failed attempts. */
export const newPasswordWrite = (email: string, passwordHash: string): Write => ({
  key: keys.credentials(email),
  update:
    'SET password_hash = :hash, password_version = password_version + :one REMOVE attempts, attempts_from',
  condition: 'attribute_exists(user_id)',
  values: { ':hash': passwordHash, ':one': 1 },
});

/** Takes an e-mail off the list of those who get mail beyond what they ask for; for nobody's, does nothing. */
export const unsubscribe = async (store: Store, email: string): Promise<void> => {
  try {
    await store.update(
      keys.credentials(email),
      {
        update: 'SET mail_subscribed = :no',
        condition: 'attribute_exists(user_id)',
        values: { ':no': false },
      },
      credentialsSchema,
    );
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
  }
};
