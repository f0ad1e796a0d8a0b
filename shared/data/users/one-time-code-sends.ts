import { keys } from '../table/keys.ts';
import type { Key, Update, Values, Write } from '../table/writes.ts';
import type { CodePurpose } from './one-time-codes.ts';
import { CODE_LIFETIME_S, type OneTimeCode, OWNER } from './one-time-codes.ts';

const MIN_GAP_MS = 30_000;
const HOUR_MS = 3_600_000;
/** Per hour and caller. */
const MAX_SENDS = 5;
/** Per hour, from all callers except the owner. Prevents flooding a mailbox from many addresses. */
const MAX_STRANGER_SENDS = 10;
const LIFETIME_MS = CODE_LIFETIME_S * 1000;
/** A valid code is sent again, instead of a new one, up to this age. */
const REUSE_MS = 30 * 60_000;

/** Returns until when (epoch ms) a caller may not request another code; undefined if they may now. */
export const sendRefusedUntil = (
  code: OneTimeCode | undefined,
  caller: string,
  now: Date,
): number | undefined => {
  const at = now.getTime();
  const recent = (code?.sends ?? []).filter((send) => send.at > at - HOUR_MS);
  const mine = recent.filter(({ by }) => by === caller);
  const latest = mine.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  if (at - latest < MIN_GAP_MS) return latest + MIN_GAP_MS;
  const limited = caller === OWNER ? [] : recent.filter(({ by }) => by !== OWNER);
  const oldest =
    mine.length >= MAX_SENDS ? mine[0] : limited.length >= MAX_STRANGER_SENDS ? limited[0] : undefined;
  return oldest && oldest.at + HOUR_MS;
};

/** Recipient of a code. */
export interface CodeTarget {
  readonly userId: string;
  readonly phone?: string | undefined;
  /** Session that asks. */
  readonly sid?: string | undefined;
}

interface Send {
  readonly email: string;
  readonly purpose: CodePurpose;
  readonly caller: string;
  /** A fresh random text, used as nonce if a new code is made. */
  readonly nonce: string;
  /** Undefined for an unknown e-mail: the send is counted only, and earlier codes stay valid. */
  readonly target: CodeTarget | undefined;
  readonly now: Date;
}

const isReusable = (last: OneTimeCode, { target, now }: Send): boolean =>
  last.user_id === target?.userId &&
  last.ph_number === target?.phone &&
  last.valid_until > now.getTime() &&
  last.made_at > now.getTime() - REUSE_MS;

/** Returns the nonce to send: the last one while it is valid, so that a send never invalidates an earlier code. */
export const nonceToSend = (last: OneTimeCode | undefined, send: Send): string =>
  last && isReusable(last, send) ? last.nonce : send.nonce;

interface CodeChange {
  readonly set: Values;
  readonly remove?: readonly string[];
}

const previousOf = (last: OneTimeCode | undefined, { target, now }: Send) => {
  if (!last || last.user_id !== target?.userId || last.valid_until <= now.getTime()) return undefined;
  const { nonce, valid_until, ph_number, sid, tries, tries_by, askers } = last;
  return {
    nonce,
    valid_until,
    tries,
    tries_by,
    askers,
    ...(ph_number !== undefined && { ph_number }),
    ...(sid !== undefined && { sid }),
  };
};

/** Returns the changes of the code itself that a send causes. */
const codeChange = (last: OneTimeCode | undefined, send: Send): CodeChange => {
  const { target, caller, now } = send;
  if (last && !target) return { set: {} };
  const at = now.getTime();
  const valid_until = at + LIFETIME_MS;
  if (last && isReusable(last, send)) {
    const askers = [...new Set([...last.askers, caller])];
    return { set: { valid_until, askers, ...(target?.sid !== undefined && { sid: target.sid }) } };
  }
  const callers = (last?.sends ?? []).filter((one) => one.at > at - LIFETIME_MS).map(({ by }) => by);
  const optional = {
    user_id: target?.userId,
    ph_number: target?.phone,
    sid: target?.sid,
    previous: previousOf(last, send),
  };
  const entries = Object.entries(optional);
  return {
    set: {
      nonce: send.nonce,
      made_at: at,
      valid_until,
      tries: 0,
      tries_by: {},
      askers: [...new Set([OWNER, caller, ...callers])],
      ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
    },
    remove: entries.flatMap(([name, value]) => (value === undefined ? [name] : [])),
  };
};

const setting = (set: Values) => {
  const entries = Object.entries(set);
  return {
    update: `SET ${entries.map((_, index) => `#n${index} = :v${index}`).join(', ')}`,
    names: Object.fromEntries(entries.map(([name], index) => [`#n${index}`, name])),
    values: Object.fromEntries(entries.map(([, value], index) => [`:v${index}`, value])),
  };
};

/** Returns the condition that the code is as read. */
const unchangedSince = (last: OneTimeCode | undefined) =>
  last
    ? { condition: 'revision = :last', values: { ':last': last.revision } }
    : { condition: 'attribute_not_exists(pk)', values: {} };

/**
 * Returns the write that counts a send and stores its code. Its condition fails if another send was faster.
 *
 * @param last the code item as just read.
 */
export const sendWrite = (last: OneTimeCode | undefined, send: Send): { readonly key: Key } & Update => {
  const { email, purpose, caller, nonce, now } = send;
  const at = now.getTime();
  const { set, remove = [] } = codeChange(last, send);
  const { update, names, values } = setting({
    ...set,
    sends: [...(last?.sends ?? []).filter((one) => one.at > at - HOUR_MS), { at, by: caller }],
    revision: nonce,
    entity: 'one_time_code',
    expires_at_s: Math.ceil((at + HOUR_MS) / 1000),
  });
  const unchanged = unchangedSince(last);
  return {
    key: keys.oneTimeCode(email, purpose),
    update: remove.length > 0 ? `${update} REMOVE ${remove.join(', ')}` : update,
    condition: unchanged.condition,
    names,
    values: { ...values, ...unchanged.values },
  };
};

/** Returns the write of the first code of a new account. Replaces the code of an earlier account with the e-mail. */
export const firstSendWrite = (send: Send): Write => {
  const { condition: _, ...write } = sendWrite(undefined, send);
  return write;
};
