import * as z from 'zod';
import type { Item } from '../table/attributes.ts';
import { type Items, itemWith } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';
import { asCredentials, type Credentials } from './credentials.ts';

/** Purposes of one-time codes. Apart from the codes, so that functions with messages alone do not load their schemas. */
export const CODE_PURPOSES = ['password_reset', 'phone', 'email_proof', 'email_change', 'step_up'] as const;
export type CodePurpose = (typeof CODE_PURPOSES)[number];

export const CODE_LIFETIME_S = 600;
const MAX_TRIES = 5;

/** Counts tries of the account's own devices and sessions. */
export const OWNER = 'owner';

const nonceSchema = z.object({
  /** Input of the code's derivation, together with a key that is not in the table. */
  nonce: z.string(),
  ph_number: z.string().optional(),
  /** Session that asked for a code to a phone. The code ends with it: a number must not outlast a stranger's session. */
  sid: z.string().optional(),
  /** Epoch milliseconds. */
  valid_until: z.number(),
  /** Wrong codes since the nonce was made, from callers that did not ask for it. */
  tries: z.number(),
  /** Wrong codes since the nonce was made, from each caller. Sending the code again resets none. */
  tries_by: z.record(z.string(), z.number()),
  /** Callers with tries of their own: the owner, and those that asked for the code. */
  askers: z.array(z.string()),
});

type CodeNonce = z.output<typeof nonceSchema>;

const codeSchema = nonceSchema.extend({
  /** Absent for an unknown e-mail: the code is counted, never sent and never right. */
  user_id: z.string().optional(),
  /** Time at which the nonce was made, epoch milliseconds. */
  made_at: z.number(),
  /** The code before this one, with its own tries; valid until its own end. */
  previous: nonceSchema.optional(),
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

/** Returns the wrong codes that count against a caller: its own, or those of all strangers together. */
const triesOf = ({ tries, tries_by, askers }: CodeNonce, caller: string): number =>
  askers.includes(caller) ? (tries_by[caller] ?? 0) : tries;

/** A valid code. There are two for a while after a new one was made. */
interface ValidCode {
  readonly nonce: string;
  readonly phone: string | undefined;
  readonly sid: string | undefined;
}

/** Returns the valid codes of an e-mail that a caller may try, newest first. */
export const validCodes = (code: OneTimeCode | undefined, caller: string, now: Date): ValidCode[] =>
  [code, code?.previous].flatMap((one) =>
    one && one.valid_until > now.getTime() && triesOf(one, caller) < MAX_TRIES
      ? [{ nonce: one.nonce, phone: one.ph_number, sid: one.sid }]
      : [],
  );

/** Returns the assignments that count a wrong code of a caller against one nonce. */
const countsOf = (one: CodeNonce, caller: string, path: string): string[] =>
  // Counts no more than the limit, so that a flood of callers does not grow the record.
  triesOf(one, caller) >= MAX_TRIES
    ? []
    : [
        `${path}tries_by.#caller = if_not_exists(${path}tries_by.#caller, :none) + :one`,
        ...(one.askers.includes(caller) ? [] : [`${path}tries = ${path}tries + :one`]),
      ];

/** Largest number of codes that are sent while one wrong code is counted. */
const MAX_SENDS_MEANWHILE = 5;

/**
 * Counts a wrong code against every code that it was compared with, also if one is sent at the same moment. Each caller
 * that requested the code has five tries, and so has the owner; all others share five. No-op without a code.
 */
export const countTry = async (
  store: Store,
  email: string,
  purpose: CodePurpose,
  { code: read, caller }: { readonly code: OneTimeCode | undefined; readonly caller: string },
): Promise<void> => {
  let code = read;
  for (let round = 0; code && round < MAX_SENDS_MEANWHILE; round++) {
    const counts = [
      ...countsOf(code, caller, ''),
      ...(code.previous ? countsOf(code.previous, caller, 'previous.') : []),
    ];
    if (counts.length === 0) return;
    try {
      await store.update(
        keys.oneTimeCode(email, purpose),
        {
          update: `SET ${counts.join(', ')}`,
          condition: 'revision = :revision',
          names: { '#caller': caller },
          values: { ':none': 0, ':one': 1, ':revision': code.revision },
        },
        z.object({}),
      );
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailedError)) throw error;
      code = asCode(error.item);
    }
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
  const used = code.nonce === nonce ? { path: '', one: code } : { path: 'previous.', one: code.previous };
  const own = used.one?.askers.includes(caller) ?? false;
  const left = own
    ? `(attribute_not_exists(${used.path}tries_by.#caller) OR ${used.path}tries_by.#caller < :max)`
    : `${used.path}tries < :max`;
  return {
    key: keys.oneTimeCode(email, purpose),
    update: 'SET valid_until = :over, revision = :used REMOVE previous',
    condition: `${used.path}nonce = :nonce AND ${used.path}valid_until > :now AND ${left}`,
    ...(own && { names: { '#caller': caller } }),
    values: {
      ':over': 0,
      ':used': `${nonce} used`,
      ':nonce': nonce,
      ':now': now.getTime(),
      ':max': MAX_TRIES,
    },
  };
};
