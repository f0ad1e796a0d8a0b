import * as z from 'zod';
import type { FactorCounts } from '../../domain/factors.ts';
import { withUnknownOf } from '../../domain/unknown-fields.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Write } from '../table/writes.ts';

/** The most passkeys of a user. */
export const MAX_PASSKEYS = 10;

const passkey = z.object({
  name: z.string(),
  /** COSE key, base64url. */
  public_key: z.string(),
  /** Last signature counter; 0 for passkeys that are synchronized between devices. */
  counter: z.number(),
  transports: z.array(z.string()),
  backed_up: z.boolean(),
  added_at: z.string(),
  used_at: z.string().optional(),
});

const sealed = z.instanceof(Uint8Array<ArrayBuffer>);

/** Second factors of a user. The user item counts them, so that no request has to read this one to know of them. */
const factorsSchema = z.object({
  user_id: z.string(),
  /** Changes with every write. */
  rev: z.number(),
  /** By credential id. */
  passkeys: z.record(z.string(), passkey),
  totp: z.object({ sealed, step: z.number(), added_at: z.string() }).optional(),
  /** Secret that the user has not confirmed yet. */
  totp_pending: z.object({ sealed, valid_until: z.number() }).optional(),
  /** Recovery codes by hash. */
  recovery_codes: z.record(z.string(), z.object({})),
});

export type Factors = z.output<typeof factorsSchema>;
export type Passkey = z.output<typeof passkey>;

/** Parses the factors of a user; undefined without an item. */
export const asFactors = (item: Item | undefined): Factors | undefined =>
  item && parseItem(factorsSchema, item);

/** Returns the record of a user without factors. */
export const noFactors = (userId: string): Factors => ({
  user_id: userId,
  rev: 0,
  passkeys: {},
  recovery_codes: {},
});

/** Counts factors for the user item; undefined without a factor. */
export const countsOf = ({ passkeys, totp, recovery_codes: codes }: Factors): FactorCounts | undefined => {
  const count = Object.keys(passkeys).length;
  if (count === 0 && !totp) return undefined;
  return { passkeys: count, totp: totp !== undefined, recovery_codes: Object.keys(codes).length };
};

/** Returns the factors without those that were added since a moment, and without recovery codes, which have no time. */
const madeBefore = (factors: Factors, since: string): Factors => {
  const { totp, totp_pending: _, ...others } = factors;
  const kept = Object.entries(factors.passkeys).filter(([, { added_at }]) => added_at < since);
  return {
    ...others,
    passkeys: Object.fromEntries(kept),
    recovery_codes: {},
    ...(totp && totp.added_at < since && { totp }),
  };
};

/** Ends the factors that were added since a moment. @returns the counts for the user item, and the writes of the others. */
export const endedSince = (
  factors: Factors,
  since: string,
): { readonly counts: FactorCounts | undefined; readonly writes: readonly Write[] } => {
  const after = madeBefore(factors, since);
  const ended = Object.keys(factors.passkeys).filter((id) => !Object.hasOwn(after.passkeys, id));
  return {
    counts: countsOf(after),
    writes: [factorsWrite(factors, after), ...ended.map((id) => ({ delete: keys.passkey(id) }))],
  };
};

/** Returns the writes that end all factors. */
export const endedFactorsWrites = (factors: Factors): readonly Write[] => [
  factorsWrite(factors, noFactors(factors.user_id)),
  ...Object.keys(factors.passkeys).map((id) => ({ delete: keys.passkey(id) })),
];

/** Returns the write of changed factors. Its condition fails if they changed since they were read. */
export const factorsWrite = (before: Factors, after: Omit<Factors, 'rev'>): Write => ({
  put: {
    ...keys.factors(before.user_id),
    entity: 'factors',
    ...withUnknownOf(before, { ...after, rev: before.rev + 1 }),
  },
  if:
    before.rev === 0
      ? { condition: 'attribute_not_exists(pk)' }
      : { condition: 'rev = :rev', values: { ':rev': before.rev } },
});

/** Returns the write that claims a credential id for a user. Its condition fails if it is claimed. */
export const claimPasskeyWrite = (credentialId: string, userId: string): Write => ({
  put: { ...keys.passkey(credentialId), entity: 'passkey', user_id: userId },
  if: { condition: 'attribute_not_exists(pk)' },
});

const claimSchema = z.object({ user_id: z.string() });

/** Returns the user of a credential id, from its item. */
export const claimantOf = (item: Item | undefined): string | undefined =>
  item && parseItem(claimSchema, item).user_id;

/** Returns the write that uses up a challenge. Its condition fails if it was used. */
export const useChallengeWrite = (challenge: string, expiresAt: number): Write => ({
  put: { ...keys.passkeyChallenge(challenge), entity: 'passkey_challenge', expires_at_s: expiresAt },
  if: { condition: 'attribute_not_exists(pk)' },
});

/** Returns the write that counts a use of a passkey. Its condition fails after another use with the same counter, or its removal. */
export const usedPasskeyWrite = (
  { user_id: userId }: Pick<Factors, 'user_id'>,
  credentialId: string,
  { before, counter, now }: { readonly before: number; readonly counter: number; readonly now: Date },
): Write => ({
  key: keys.factors(userId),
  update: 'SET passkeys.#id.#counter = :counter, passkeys.#id.used_at = :at, rev = rev + :one',
  condition: 'passkeys.#id.#counter = :before',
  names: { '#id': credentialId, '#counter': 'counter' },
  values: { ':counter': counter, ':before': before, ':at': now.toISOString(), ':one': 1 },
});

/** Returns the write that uses up a step of an authenticator app. Its condition fails if a step was used meanwhile. */
export const usedTotpWrite = (
  { user_id: userId }: Pick<Factors, 'user_id'>,
  { before, step }: { readonly before: number; readonly step: number },
): Write => ({
  key: keys.factors(userId),
  update: 'SET totp.step = :step, rev = rev + :one',
  condition: 'totp.step = :before',
  values: { ':step': step, ':before': before, ':one': 1 },
});

/** Returns the write that uses up a recovery code. Its condition fails if it was used meanwhile. */
export const usedRecoveryCodeWrite = (
  { user_id: userId }: Pick<Factors, 'user_id'>,
  hash: string,
): Write => ({
  key: keys.factors(userId),
  update: 'SET rev = rev + :one REMOVE recovery_codes.#hash',
  condition: 'attribute_exists(recovery_codes.#hash)',
  names: { '#hash': hash },
  values: { ':one': 1 },
});
