import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type OnDamaged, parseReadable, placeInList } from '../table/damaged-items.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Key, Update } from '../table/writes.ts';

/**
 * Holds an event of the access to an account, for its owner. Events of a kind and a day are one item with a count, so that
 * nobody floods the list, and writing one reads nothing. Those of an e-mail without an account are kept for a day, so that a
 * failed sign-in costs the same.
 */

export const SECURITY_EVENTS = [
  'signed_in',
  'sign_in_failed',
  'email_confirmed',
  'email_changed',
  'email_change_undone',
  'email_corrected',
  'phone_verified',
  'password_changed',
  'password_reset',
  'stepped_up',
  'step_up_failed',
  'passkey_added',
  'passkey_removed',
  'passkey_copied',
  'totp_added',
  'totp_removed',
  'recovery_codes_made',
  'recovery_code_used',
  'factor_removal_asked',
  'factors_kept',
  'sessions_ended',
  'platform_token_made',
  'api_key_made',
  'api_key_revoked',
  'assistant_connected',
  'assistant_disconnected',
  'assistant_token_reused',
  'webhook_registered',
  'webhook_removed',
  'signal_address_made',
  'signal_address_revoked',
  'signals_refused',
  'execution_connected',
  'execution_disconnected',
  'partner_connected',
  'partner_disconnected',
  'broker_confirmed',
  'broker_unlinked',
  'grants_ended',
] as const;
export type SecurityEventKind = (typeof SECURITY_EVENTS)[number];

/** Days for which events are kept: as long as a browser is known. */
const KEEP_DAYS = 400;
/** Days for which failed sign-ins of an unknown e-mail are kept. */
const KEEP_UNKNOWN_DAYS = 1;
const DAY_S = 24 * 3600;
/** The most events that are read: the newest. */
const MAX_READ = 500;
const SORT_KEY = 'SECURITY#';
const SUBJECT_LENGTH = 10;

const eventSchema = z.object({
  kind: z.enum(SECURITY_EVENTS),
  first_at: z.string(),
  last_at: z.string(),
  count: z.number(),
  /** Of the last one. */
  device: z.string().optional(),
  place: z.string().optional(),
  detail: z.string().optional(),
});

export type SecurityEvent = z.output<typeof eventSchema>;

/** Origin of an event: browser and system in fixed words, and a shortened network. */
export interface Origin {
  readonly device?: string | undefined;
  readonly place?: string | undefined;
}

interface NewEvent extends Origin {
  readonly kind: SecurityEventKind;
  /** Few fixed words, such as the code of a refusal. */
  readonly detail?: string;
  readonly now: Date;
}

/** Account of an event, or an e-mail without one. */
export type EventSubject = { readonly user_id: string } | { readonly unknown_email: string };

const partitionOf = (subject: EventSubject): string =>
  'user_id' in subject ? keys.user(subject.user_id).pk : keys.credentials(subject.unknown_email).pk;

/** Sign-ins of a day are told apart by their origin; all else of a kind is one event. */
const subjectOf = ({ kind, device, place }: NewEvent): string =>
  kind === 'signed_in'
    ? `#${createHash('sha256')
        .update(JSON.stringify([device, place]))
        .digest('base64url')
        .slice(0, SUBJECT_LENGTH)}`
    : '';

/** Returns the write that notes an event in an account. It has no condition. */
export const securityEventWrite = (
  subject: EventSubject,
  event: NewEvent,
): { readonly key: Key } & Update => {
  const { kind, now } = event;
  const keepDays = 'user_id' in subject ? KEEP_DAYS : KEEP_UNKNOWN_DAYS;
  const at = now.toISOString();
  const optional = Object.entries({ device: event.device, place: event.place, detail: event.detail }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    key: {
      pk: partitionOf(subject),
      sk: `${SORT_KEY}${at.slice(0, 10)}#${kind}${subjectOf(event)}`,
    },
    update: [
      'SET entity = :entity, kind = :kind, first_at = if_not_exists(first_at, :at), last_at = :at',
      '#count = if_not_exists(#count, :none) + :one, expires_at_s = :expiry',
      ...optional.map(([name]) => `${name} = :${name}`),
    ].join(', '),
    names: { '#count': 'count' },
    values: {
      ':entity': 'security_event',
      ':kind': kind,
      ':at': at,
      ':none': 0,
      ':one': 1,
      ':expiry': Math.floor(now.getTime() / 1000) + keepDays * DAY_S,
      ...Object.fromEntries(optional.map(([name, value]) => [`:${name}`, value])),
    },
  };
};

/** Notes an event that no transaction of the request can carry. */
export const noteSecurityEvent = async (
  store: Store,
  subject: EventSubject,
  event: NewEvent,
): Promise<void> => {
  const { key, ...change } = securityEventWrite(subject, event);
  await store.update(key, change, eventSchema);
};

/** Reads the newest events of an account, at most 500, the last ones first. */
export const findSecurityEvents = async (
  store: Store,
  userId: string,
  onDamaged: OnDamaged,
): Promise<SecurityEvent[]> => {
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
    ExpressionAttributeValues: { ':pk': keys.user(userId).pk, ':sk': SORT_KEY },
    ScanIndexForward: false,
    Limit: MAX_READ,
    ConsistentRead: true,
  });
  return parseReadable(eventSchema, items, placeInList, onDamaged).sort((left, right) =>
    left.last_at < right.last_at ? 1 : -1,
  );
};
