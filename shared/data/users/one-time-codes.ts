import * as z from 'zod';
import type { Item } from '../table/attributes.ts';
import { type Items, itemWith } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';
import { asCredentials, type Credentials } from './credentials.ts';

/** Purposes of one-time codes. Apart from the codes, so that functions with messages alone do not load their schemas. */
export const CODE_PURPOSES = ['password_reset', 'phone'] as const;
export type CodePurpose = (typeof CODE_PURPOSES)[number];

export const CODE_LIFETIME_S = 600;
const MAX_TRIES = 5;

/** Counts tries of the account's own devices and sessions. */
export const OWNER = 'owner';

const codeSchema = z.object({
  /** Input of the code's derivation, together with a key that is not in the table. */
  nonce: z.string(),
  /** Absent for an unknown e-mail: the code is counted, never sent and never right. */
  user_id: z.string().optional(),
  ph_number: z.string().optional(),
  /** Epoch milliseconds. */
  valid_until: z.number(),
  /** Time at which the nonce was made, epoch milliseconds. */
  made_at: z.number(),
  /** The code before this one; valid until its own end. */
  previous: z
    .object({ nonce: z.string(), ph_number: z.string().optional(), valid_until: z.number() })
    .optional(),
  /** Wrong codes from callers without tries of their own in `tries_by`. */
  tries: z.number(),
  /** Wrong codes from each caller that asked for the code, and from the owner. */
  tries_by: z.record(z.string(), z.number()),
  /** Requests within the last hour with their callers, oldest first. Times are epoch milliseconds. */
  sends: z.array(z.object({ at: z.number(), by: z.string() })),
  /** Changes with every send. */
  revision: z.string(),
});

export type OneTimeCode = z.output<typeof codeSchema>;

/** Parses the code item of an e-mail; undefined if there is no item. */
const asCode = (item: Item | undefined): OneTimeCode | undefined => item && parseItem(codeSchema, item);

/** Stored state of an e-mail and its code. */
export interface CodeState {
  readonly credentials: Credentials;
  readonly code: OneTimeCode | undefined;
  /** Everything that was read in the call. */
  readonly items: Items;
}

/** Reads an e-mail's credentials, its last code and other items in one call. */
export const findCode = async (
  store: Store,
  email: string,
  purpose: CodePurpose,
  extraReads: readonly Key[] = [],
): Promise<CodeState> => {
  const [credentialsKey, codeKey] = [keys.credentials(email), keys.oneTimeCode(email, purpose)];
  const items = await store.getMany([credentialsKey, codeKey, ...extraReads], { consistent: true });
  return {
    credentials: asCredentials(itemWith(items, credentialsKey)),
    code: asCode(itemWith(items, codeKey)),
    items,
  };
};

/** A valid code. There are two for a while after a new one was made. */
interface ValidCode {
  readonly nonce: string;
  readonly phone: string | undefined;
}

/** Returns the valid codes of an e-mail, newest first. */
export const validCodes = (code: OneTimeCode | undefined, now: Date): ValidCode[] =>
  [code, code?.previous].flatMap((one) =>
    one && one.valid_until > now.getTime() ? [{ nonce: one.nonce, phone: one.ph_number }] : [],
  );

/**
 * Returns the attribute that counts a caller's wrong codes. Each caller that requested the code has five tries, and
 * so has the owner; all others share five. A stranger's guesses never use up the owner's tries.
 */
const triesOf = (code: OneTimeCode | undefined, caller: string) =>
  code && Object.hasOwn(code.tries_by, caller)
    ? { path: 'tries_by.#caller', names: { '#caller': caller } }
    : { path: 'tries' };

/** Counts a wrong code; no-op if no tries are left or there is no code. */
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
 * Returns the write that uses up the codes of an e-mail. The item stays, to count sends. Belongs to the transaction
 * that the code authorizes; its condition fails if the code was used meanwhile or the caller's tries are used up.
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
