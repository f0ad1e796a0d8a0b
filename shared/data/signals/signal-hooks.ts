import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { decimalText } from '../../domain/money.ts';
import { type Items, itemWith } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Write } from '../table/writes.ts';

/** Address at which a deployment takes signals from outside. The table holds a hash of its token, never the token. */

const hookSchema = z.object({
  deployment_id: z.number(),
  token_hash: z.string(),
  created_at: z.string(),
  /** Largest quantity of a real order. Absent for paper and notifications. */
  max_quantity: decimalText.optional(),
  /** Time of the last signal that took effect. Absent before the first. */
  signalled_at: z.string().optional(),
  /** Signals of the minute of the last one, in minutes since 1970. */
  minute: z.number().optional(),
  in_minute: z.number().optional(),
  /** Signals of the day of the last one, in days since 1970. */
  day: z.number().optional(),
  in_day: z.number().optional(),
  /** Increases with every change. */
  rev: z.number(),
});

export type SignalHook = z.output<typeof hookSchema>;

/** Characters of the random part of a token: 192 bits. */
const SECRET_LENGTH = 32;
const TOKEN = new RegExp(`^([0-9a-z]{1,12})-([A-Za-z0-9_-]{${SECRET_LENGTH}})$`);

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Returns the token of a deployment's hook. @param secret 32 random characters of base64url */
export const tokenOf = (deploymentId: number, secret: string): string =>
  `${deploymentId.toString(36)}-${secret}`;

/** Returns the deployment that a token names; undefined for a text that is no token. */
export const deploymentOfToken = (token: string): number | undefined => {
  const id = Number.parseInt(TOKEN.exec(token)?.[1] ?? '', 36);
  return Number.isSafeInteger(id) ? id : undefined;
};

/** Returns whether a token is that of a hook, in a time that tells nothing about either. */
export const isTokenOf = ({ token_hash }: SignalHook, token: string): boolean => {
  const [own, presented] = [Buffer.from(token_hash), Buffer.from(hashOf(token))];
  return own.length === presented.length && timingSafeEqual(own, presented);
};

/** Finds the hook of a deployment among items that were read together; undefined without one. */
export const hookIn = (items: Items, deploymentId: number): SignalHook | undefined => {
  const item = itemWith(items, keys.signalHook(deploymentId));
  return item && parseItem(hookSchema, item);
};

const isUnchanged = (before: SignalHook | undefined) =>
  before
    ? { condition: 'rev = :hook_rev', values: { ':hook_rev': before.rev } }
    : { condition: 'attribute_not_exists(pk)' };

/** Returns the write of a hook. Its condition fails if the hook changed since it was read. */
const hookWrite = (before: SignalHook | undefined, after: Omit<SignalHook, 'rev'>): Write => ({
  put: {
    ...after,
    ...keys.signalHook(after.deployment_id),
    entity: 'signal_hook',
    rev: (before?.rev ?? 0) + 1,
  },
  if: isUnchanged(before),
});

/** Returns the write that gives a deployment a hook with a new token. Counts of signals stay. */
export const newHookWrite = (
  before: SignalHook | undefined,
  {
    deployment_id,
    token,
    max_quantity,
  }: Pick<SignalHook, 'deployment_id' | 'max_quantity'> & { readonly token: string },
  now: Date,
): Write =>
  hookWrite(before, {
    ...before,
    deployment_id,
    token_hash: hashOf(token),
    created_at: now.toISOString(),
    max_quantity,
  });

/** Returns the write that removes a hook. */
export const revokedHookWrite = (before: SignalHook): Write => ({
  delete: keys.signalHook(before.deployment_id),
  if: isUnchanged(before),
});

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Signals of the current minute and of the current day (UTC). */
export const signalsOf = (
  { minute, in_minute = 0, day, in_day = 0 }: SignalHook,
  now: Date,
): { readonly inMinute: number; readonly inDay: number } => ({
  inMinute: minute === Math.floor(now.getTime() / MINUTE_MS) ? in_minute : 0,
  inDay: day === Math.floor(now.getTime() / DAY_MS) ? in_day : 0,
});

/** Returns the write that counts a signal. */
export const countedSignalWrite = (before: SignalHook, now: Date): Write => {
  const { inMinute, inDay } = signalsOf(before, now);
  return hookWrite(before, {
    ...before,
    signalled_at: now.toISOString(),
    minute: Math.floor(now.getTime() / MINUTE_MS),
    in_minute: inMinute + 1,
    day: Math.floor(now.getTime() / DAY_MS),
    in_day: inDay + 1,
  });
};
