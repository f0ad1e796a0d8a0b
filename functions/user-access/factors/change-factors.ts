import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { heldSession } from '../../../shared/callers/open-session.ts';
import { originOf } from '../../../shared/callers/origin.ts';
import type { MessageOf } from '../../../shared/data/outbox/messages.ts';
import { outboxWrite } from '../../../shared/data/outbox/outbox.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { TransactionRefusedError } from '../../../shared/data/table/store.ts';
import type { Update, Write } from '../../../shared/data/table/writes.ts';
import {
  asFactors,
  countsOf,
  type Factors,
  factorsWrite,
  noFactors,
} from '../../../shared/data/users/factors.ts';
import { type SecurityEventKind, securityEventWrite } from '../../../shared/data/users/security-events.ts';
import { type User, whileHeld } from '../../../shared/data/users/users.ts';
import { changedCounts, type FactorCounts, factorsOf, recoveredAt } from '../../../shared/domain/factors.ts';
import { textId } from '../../../shared/ids.ts';

type Notice = MessageOf<'account_secured'>['by'];

/** Returns the write that notifies the owner of a change of the account. */
export const noticeWrite = (call: Call, { user_id }: Pick<User, 'user_id'>, by: Notice): Write =>
  outboxWrite(textId(call.random), { kind: 'account_secured', user_id, by }, call.now);

/** Refuses a change that another one overtook. */
export const changedFactors = (cause: unknown): HubError =>
  new HubError('changed_meanwhile', 'The account changed at the same time. Try again.', {
    retryAfterS: 1,
    cause,
  });

/** A user and the factors, as read in one call. */
interface OwnFactors {
  readonly user: User;
  readonly factors: Factors;
  /** Writes that remove what is left of factors that have ended. */
  readonly leftovers: readonly Write[];
}

/** Reads the factors of the user of a session, in one call with the user. Those that have ended are left out. */
export const ownFactors = async (call: Call): Promise<OwnFactors> => {
  const [item] = await call.store.getMany([keys.factors(heldSession(call).userId)], { consistent: true });
  return currentFactors(call, await call.user(), item);
};

/** Returns the factors of a user, from their item. */
export const currentFactors = ({ now }: Call, user: User, item: Item | undefined): OwnFactors => {
  const stored = asFactors(item);
  const empty = noFactors(user.user_id);
  if (!stored) return { user, factors: empty, leftovers: [] };
  const isOver = user.factors !== undefined && factorsOf(user, now) === undefined;
  if (!isOver) return { user, factors: stored, leftovers: [] };
  return {
    user,
    factors: { ...empty, rev: stored.rev },
    leftovers: Object.keys(stored.passkeys).map((id) => ({ delete: keys.passkey(id) })),
  };
};

interface Change {
  readonly after: Factors;
  readonly event?: SecurityEventKind;
  readonly notice?: Notice;
  readonly extraWrites?: readonly Write[];
}

/**
 * Returns the change of a user whose factors changed. Who secures the account may fear a thief in another session, so the
 * step-ups of these end; they keep their own tries of a code.
 */
const changedUser = (user: User, sid: string, counts: FactorCounts | undefined, now: Date): Update => {
  const held = whileHeld({ sid, kind: 'session' });
  const others = Object.keys(user.sessions).filter(
    (other) => other !== sid && (user.sessions[other]?.stepped_up_at ?? 0) > 0,
  );
  const recovered = recoveredAt(user, now);
  const set = [
    ...(counts ? ['factors = :factors'] : []),
    ...(recovered === undefined ? [] : ['recovered_at = :recovered']),
    ...others.map((_, index) => `sessions.#s${index}.stepped_up_at = :ended`),
  ];
  const values = {
    ...(counts && { ':factors': changedCounts(user, counts, now) }),
    ...(recovered !== undefined && { ':recovered': recovered }),
    ...(others.length > 0 && { ':ended': 0 }),
  };
  return {
    update: [
      ...(set.length > 0 ? [`SET ${set.join(', ')}`] : []),
      ...(counts ? [] : ['REMOVE factors']),
    ].join(' '),
    condition: [held.condition, ...others.map((_, index) => `attribute_exists(sessions.#s${index})`)].join(
      ' AND ',
    ),
    names: { ...held.names, ...Object.fromEntries(others.map((other, index) => [`#s${index}`, other])) },
    // Refused if empty.
    ...(set.length > 0 && { values }),
  };
};

/** Writes changed factors, in the session that changes them. @throws HubError changed_meanwhile */
export const changeFactors = async (
  call: Call,
  sid: string,
  { user, factors, leftovers }: OwnFactors,
  { after, event, notice, extraWrites = [] }: Change,
): Promise<void> => {
  const { now } = call;
  const counts = countsOf(after);
  try {
    await call.store.transact([
      factorsWrite(factors, counts ? after : { ...after, recovery_codes: {} }),
      { key: keys.user(user.user_id), ...changedUser(user, sid, counts, now) },
      ...(event ? [securityEventWrite(user, { kind: event, ...originOf(call), now })] : []),
      ...(notice ? [noticeWrite(call, user, notice)] : []),
      ...leftovers,
      ...extraWrites,
    ]);
  } catch (error) {
    if (error instanceof TransactionRefusedError) throw changedFactors(error);
    throw error;
  }
};
