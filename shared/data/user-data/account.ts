import * as z from 'zod';
import { isRecord } from '../../domain/unknown-fields.ts';
import type { User } from '../users/users.ts';

/** Names of a user: in keys, in records of their own, and in records of others. */
export const accountSchema = z.object({
  user_id: z.string(),
  user_key: z.string(),
  email: z.string(),
  name: z.string(),
  ph_number: z.string().optional(),
  referral_code: z.string(),
});

export type Account = z.output<typeof accountSchema>;

/** Returns what names a user. */
export const accountOf = ({ user_id, user_key, email, name, ph_number, referral_code }: User): Account => ({
  user_id,
  user_key,
  email,
  name,
  ph_number,
  referral_code,
});

/** Characters of e-mails. Without them around it, a text is not a part of another e-mail. */
const APART = String.raw`[\w.+%@\-]`;

/**
 * Returns a pattern of the texts that name a user, whatever is around them. Name and phone number are not among them:
 * other people have them too.
 */
const patternOf = ({ user_id, user_key, email }: Account): RegExp => {
  const ids = [user_id, user_key].map((id) => RegExp.escape(id));
  return new RegExp([...ids, `(?<!${APART})${RegExp.escape(email)}(?!${APART})`].join('|'), 'giu');
};

/** Changes every text of a value: of lists and records at any depth. Leaves sets and bytes as they are. */
const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [change(name), mapTexts(inner, change)]),
  );
};

/** Hands over every text of a value: of lists, sets and records at any depth, and the names of fields. */
export const eachText = (value: unknown, take: (text: string) => void): void => {
  if (typeof value === 'string') take(value);
  else if (Array.isArray(value) || value instanceof Set) for (const one of value) eachText(one, take);
  else if (isRecord(value)) {
    for (const [name, inner] of Object.entries(value)) {
      take(name);
      eachText(inner, take);
    }
  }
};

/** Returns the texts that name a user, whatever is around them and in any case. */
export const namesOf = ({ user_id, user_key, email }: Account): string[] => [user_id, user_key, email];

/** Returns whether a value holds a text that names the user. */
export const mentionTest = (account: Account): ((value: unknown) => boolean) => {
  const pattern = patternOf(account);
  const isIn = (value: unknown): boolean => {
    if (typeof value === 'string') return value.search(pattern) !== -1;
    if (Array.isArray(value) || value instanceof Set) return [...value].some(isIn);
    return isRecord(value) && Object.entries(value).some(([name, inner]) => isIn(name) || isIn(inner));
  };
  return isIn;
};

/**
 * Returns a function that replaces what names the user by a pseudonym.
 *
 * @param options `names` also replaces the user's name, for records about this user only.
 */
export const pseudonymiser = (
  account: Account,
  pseudonym: string,
  { names }: { readonly names: boolean },
): (<T>(value: T) => unknown) => {
  const pattern = patternOf(account);
  return (value) =>
    mapTexts(value, (text) => {
      const replaced = text.replace(pattern, pseudonym);
      return names && account.name !== '' ? replaced.replaceAll(account.name, pseudonym) : replaced;
    });
};
