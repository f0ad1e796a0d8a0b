import * as z from 'zod';
import { keys } from './keys.ts';
import { parseItem } from './parse-item.ts';
import { ConditionFailed, type Store, TransactionRefused, type Write } from './store.ts';

export const CODE_PURPOSES = ['password_reset', 'phone'] as const;
export type CodePurpose = (typeof CODE_PURPOSES)[number];

export const CODE_LIFETIME_S = 600;
const MAX_TRIES = 5;
const MIN_GAP_MS = 30_000;
const MAX_PER_HOUR = 5;
const HOUR_MS = 3_600_000;

const codeSchema = z.object({
  /** What the code is derived from, together with a key that is not in the table. */
  nonce: z.string(),
  /** Absent where nobody has the e-mail: such a code is counted, sent to nobody and never right. */
  user_id: z.string().optional(),
  ph_number: z.string().optional(),
  tries: z.number(),
  /** Epoch milliseconds. */
  valid_until: z.number(),
  /** When codes were sent within the last hour, epoch milliseconds, oldest first. */
  sent: z.array(z.number()),
});

export type OneTimeCode = z.output<typeof codeSchema>;

/** Codes were sent too recently or too often; the next may be sent at `until` (epoch ms). */
export class SendsExhausted extends Error {
  readonly until: number;
  constructor(until: number) {
    super('too many codes');
    this.name = 'SendsExhausted';
    this.until = until;
  }
}

const ownerSchema = z.object({ user_id: z.string().optional() });

/** Reads who has an e-mail and the code that was last sent for it, in one call. */
export const findCodeAndOwner = async (
  store: Store,
  email: string,
  purpose: CodePurpose,
): Promise<{ userId: string | undefined; last: OneTimeCode | undefined }> => {
  const [owner, code] = await store.getMany([keys.credentials(email), keys.oneTimeCode(email, purpose)], {
    consistent: true,
  });
  return {
    userId: owner && parseItem(ownerSchema, owner).user_id,
    last: code && parseItem(codeSchema, code),
  };
};

interface CodeToSend {
  readonly email: string;
  readonly purpose: CodePurpose;
  readonly nonce: string;
  readonly userId?: string | undefined;
  readonly phone?: string | undefined;
  readonly now: Date;
  /** The code before this one, as just read. */
  readonly last: OneTimeCode | undefined;
}

/**
 * Replaces the code of an e-mail and writes the message that carries it, in one transaction.
 *
 * @throws SendsExhausted within 30 s of the last one, after five in an hour, or when another send won.
 */
export const sendCode = async (store: Store, code: CodeToSend, message: Write | undefined): Promise<void> => {
  const { email, purpose, nonce, userId, phone, last } = code;
  const now = code.now.getTime();
  const recent = (last?.sent ?? []).filter((sent) => sent > now - HOUR_MS);
  const latest = recent.at(-1) ?? Number.NEGATIVE_INFINITY;
  if (now - latest < MIN_GAP_MS) throw new SendsExhausted(latest + MIN_GAP_MS);
  const [oldest] = recent;
  if (oldest !== undefined && recent.length >= MAX_PER_HOUR) throw new SendsExhausted(oldest + HOUR_MS);
  const put: Write = {
    put: {
      ...last,
      ...keys.oneTimeCode(email, purpose),
      entity: 'one_time_code',
      nonce,
      user_id: userId,
      ph_number: phone,
      tries: 0,
      valid_until: now + CODE_LIFETIME_S * 1000,
      sent: [...recent, now],
      expires_at_s: Math.ceil((now + HOUR_MS) / 1000),
    },
    if: last
      ? { condition: 'nonce = :last', values: { ':last': last.nonce } }
      : { condition: 'attribute_not_exists(pk)' },
  };
  try {
    await store.transact(message ? [put, message] : [put]);
  } catch (error) {
    if (error instanceof TransactionRefused) throw new SendsExhausted(now + MIN_GAP_MS);
    throw error;
  }
};

/**
 * Takes one of the five tries at a code, before it is compared, so that parallel guesses count too.
 *
 * @returns the code, or undefined where there is none that may still be tried.
 */
export const takeTry = async (
  store: Store,
  email: string,
  purpose: CodePurpose,
  now: Date,
): Promise<OneTimeCode | undefined> => {
  try {
    return await store.update(
      keys.oneTimeCode(email, purpose),
      {
        update: 'SET tries = tries + :one',
        condition: 'tries < :max AND valid_until > :now',
        values: { ':one': 1, ':max': MAX_TRIES, ':now': now.getTime() },
      },
      codeSchema,
    );
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
};

/**
 * Uses a code up: it stays in place to count what was sent, but can be tried no more. Part of the
 * transaction of what it proves, which fails where another use was faster.
 */
export const useCodeWrite = (email: string, purpose: CodePurpose, nonce: string): Write => ({
  key: keys.oneTimeCode(email, purpose),
  update: 'SET valid_until = :over',
  condition: 'nonce = :nonce AND valid_until > :over',
  values: { ':over': 0, ':nonce': nonce },
});
