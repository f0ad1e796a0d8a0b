import * as z from 'zod';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import { ConditionFailedError, type Key, type Store, type Write } from '../table/store.ts';
import { asCredentials, type Credentials } from './credentials.ts';

export const CODE_PURPOSES = ['password_reset', 'phone'] as const;
export type CodePurpose = (typeof CODE_PURPOSES)[number];

export const CODE_LIFETIME_S = 600;
const MAX_TRIES = 5;

/** The tries of the account's own devices and sessions. */
export const OWNER = 'owner';

const codeSchema = z.object({
  /** What the code is derived from, together with a key that is not in the table. */
  nonce: z.string(),
  /** Absent for an unknown e-mail: such a code is counted, sent to nobody and never right. */
  user_id: z.string().optional(),
  ph_number: z.string().optional(),
  /** Epoch milliseconds. */
  valid_until: z.number(),
  /** When the nonce was made, epoch milliseconds. */
  made_at: z.number().default(0),
  /** The code before this one, which stays good until its own end. */
  previous: z
    .object({ nonce: z.string(), ph_number: z.string().optional(), valid_until: z.number() })
    .optional(),
  /** Wrong codes from callers who have no tries of their own in `tries_by`. */
  tries: z.number(),
  /** Wrong codes from each caller that asked for the code, and from the owner. */
  tries_by: z.record(z.string(), z.number()).default({}),
  /** When codes were asked for within the last hour, epoch milliseconds, oldest first. */
  sent: z.array(z.number()),
  /** The same with the caller; the versions before this one know `sent` only. */
  sends: z.array(z.object({ at: z.number(), by: z.string() })).default([]),
  /** Changes with every send. */
  revision: z.string().optional(),
});

export type OneTimeCode = z.output<typeof codeSchema>;

/** Parses the code item of an e-mail; undefined where there is none. */
const asCode = (item: Readonly<Record<string, unknown>> | undefined): OneTimeCode | undefined =>
  item && parseItem(codeSchema, item);

/** What is stored of an e-mail and of its code. */
export interface CodeState {
  readonly credentials: Credentials;
  readonly code: OneTimeCode | undefined;
  /** The items that were read in the same call, in order. */
  readonly others: readonly (Readonly<Record<string, unknown>> | undefined)[];
}

/** Reads an e-mail's credentials and the code that was last sent for it, with other items, in one call. */
export const findCode = async (
  store: Store,
  email: string,
  purpose: CodePurpose,
  extraReads: readonly Key[] = [],
): Promise<CodeState> => {
  const wanted = [keys.credentials(email), keys.oneTimeCode(email, purpose), ...extraReads];
  const [credentials, code, ...others] = await store.getMany(wanted, { consistent: true });
  return { credentials: asCredentials(credentials), code: asCode(code), others };
};

/** A code that may be right: there are two for a while after a new one was made. */
interface LiveCode {
  readonly nonce: string;
  readonly phone: string | undefined;
}

/** The codes of an e-mail that are good now, the newest first. */
export const liveCodes = (code: OneTimeCode | undefined, now: Date): LiveCode[] =>
  [code, code?.previous].flatMap((one) =>
    one && one.valid_until > now.getTime() ? [{ nonce: one.nonce, phone: one.ph_number }] : [],
  );

/**
 * The place where a caller's wrong codes are counted. Whoever asked for a code has five tries of their own, and
 * so has the owner; all others share five. So a stranger's guesses leave the owner's tries alone.
 */
const triesOf = (code: OneTimeCode | undefined, caller: string) =>
  code && Object.hasOwn(code.tries_by, caller)
    ? { path: 'tries_by.#caller', names: { '#caller': caller } }
    : { path: 'tries' };

/** Counts a wrong code; no-op where no tries are left, or where there is no code. */
export const countTry = async (
  store: Store,
  email: string,
  purpose: CodePurpose,
  { code, caller }: { readonly code: OneTimeCode | undefined; readonly caller: string },
): Promise<void> => {
  const { path, ...names } = triesOf(code, caller);
  try {
    await store.update(
      keys.oneTimeCode(email, purpose),
      {
        update: `SET ${path} = ${path} + :one`,
        condition: `${path} < :max`,
        ...names,
        values: { ':one': 1, ':max': MAX_TRIES },
      },
      z.object({}),
    );
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
  }
};

/**
 * Uses up the codes of an e-mail: the item stays in place to count what was sent. Part of the transaction of what
 * a code proves, which fails where another use was faster or the caller's tries are used up.
 */
export const useCodeWrite = (
  email: string,
  purpose: CodePurpose,
  { code, nonce, caller, now }: { code: OneTimeCode; nonce: string; caller: string; now: Date },
): Write => {
  const { path, ...names } = triesOf(code, caller);
  return {
    key: keys.oneTimeCode(email, purpose),
    update: 'SET valid_until = :over REMOVE previous',
    condition: `((nonce = :nonce AND valid_until > :now) OR (previous.nonce = :nonce AND previous.valid_until > :now)) AND ${path} < :max`,
    ...names,
    values: { ':over': 0, ':nonce': nonce, ':now': now.getTime(), ':max': MAX_TRIES },
  };
};
