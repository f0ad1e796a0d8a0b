import * as z from 'zod';
import { keys } from './keys.ts';
import { ConditionFailed, type Store, type Update, type Write } from './store.ts';

const MAX_ATTEMPTS = 5;
const WINDOW_MS = 15 * 60_000;
/** How long the attempts at an e-mail of nobody are kept. */
const KEEP_S = 24 * 3600;

const credentialsSchema = z.object({
  /** Absent where nobody has this e-mail and only attempts are counted. */
  user_id: z.string().optional(),
  password_hash: z.string().optional(),
  password_version: z.number().optional(),
  mail_subscribed: z.boolean().optional(),
  attempts: z.number().optional(),
  /** Epoch milliseconds of the first attempt in the window. */
  attempts_from: z.number().optional(),
});

export type Credentials = z.output<typeof credentialsSchema>;

/** Too many attempts in the window; it ends at `until` (epoch ms). */
export class AttemptsExhausted extends Error {
  readonly until: number;
  constructor(until: number) {
    super('too many attempts');
    this.name = 'AttemptsExhausted';
    this.until = until;
  }
}

/**
 * Takes one of the five attempts that an e-mail has in 15 minutes, before the password is looked at,
 * so that parallel guesses count too, and reads the credentials in the same call. An e-mail of nobody
 * is treated alike.
 *
 * @returns the credentials, and whether the attempts are to be forgotten on success: a window that had
 *   ended was just started anew at the price of a second call, and is left to end by itself.
 * @throws AttemptsExhausted
 */
export const takeAttempt = async (
  store: Store,
  email: string,
  now: Date,
): Promise<{ credentials: Credentials; forget: boolean }> => {
  const at = now.getTime();
  const attempt = async (change: Update) => store.update(keys.credentials(email), change, credentialsSchema);
  const values = {
    ':at': at,
    ':one': 1,
    ':expiry': Math.floor(at / 1000) + KEEP_S,
    ':entity': 'credentials',
  };
  const keep = 'expires_at_s = if_not_exists(expires_at_s, :expiry), entity = :entity';
  try {
    const credentials = await attempt({
      update: `SET attempts = if_not_exists(attempts, :none) + :one, attempts_from = if_not_exists(attempts_from, :at), ${keep}`,
      condition: 'attribute_not_exists(attempts_from) OR (attempts_from > :since AND attempts < :max)',
      values: { ...values, ':none': 0, ':since': at - WINDOW_MS, ':max': MAX_ATTEMPTS },
    });
    return { credentials, forget: true };
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const { attempts_from: from = at } = credentialsSchema.parse(error.item ?? {});
    if (from > at - WINDOW_MS) throw new AttemptsExhausted(from + WINDOW_MS);
    try {
      const credentials = await attempt({
        update: `SET attempts = :one, attempts_from = :at, ${keep}`,
        condition: 'attempts_from = :from',
        values: { ...values, ':from': from },
      });
      return { credentials, forget: false };
    } catch (lost) {
      // Others started the new window in the same instant; they are ahead of this one.
      if (lost instanceof ConditionFailed) throw new AttemptsExhausted(at + 1000);
      throw lost;
    }
  }
};

/**
 * Forgets the failed attempts after a success.
 *
 * @param rehashed the same password under the present parameters; refused where it was reset meanwhile.
 */
export const forgetAttemptsWrite = (
  email: string,
  rehashed?: { readonly from: string; readonly to: string },
): Write => ({
  key: keys.credentials(email),
  update: `${rehashed ? 'SET password_hash = :to ' : ''}REMOVE attempts, attempts_from`,
  condition: rehashed ? 'password_hash = :from' : 'attribute_exists(user_id)',
  ...(rehashed && { values: { ':from': rehashed.from, ':to': rehashed.to } }),
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
    if (!(error instanceof ConditionFailed)) throw error;
  }
};
