import { auditEdits, auditKeys } from '../data/audit/audit-trail.ts';
import { commit } from '../data/numbered-list/list-edit.ts';
import { retryOnConflict } from '../data/numbered-list/retry.ts';
import type { Halt } from '../data/switches/halts.ts';
import { itemWith } from '../data/table/items.ts';
import { keys } from '../data/table/keys.ts';
import type { Write } from '../data/table/writes.ts';
import { asUser, type User } from '../data/users/users.ts';
import { integerId } from '../ids.ts';
import type { Runtime } from '../runtime.ts';
import { userChangeWrites } from './record-changes.ts';
import { noticeKeys, noticeOf, type UserNotice } from './user-notices.ts';

/** Seconds for which a user is known to be notified; work lasts hours at most. */
const KEEP_S = 30 * 24 * 3600;

const BY: Readonly<Record<Halt['actor']['by'], string>> = {
  user: 'Your kill switch',
  broker: 'The kill switch of your broker',
  operator: 'A kill switch of the operator',
};

const textOf = ({ subject, actor, reason, flatten }: Halt): UserNotice => ({
  kind: 'kill_switch',
  severity: 'error',
  title: `${BY[actor.by]} is thrown`,
  body: `Your deployments are halted: nothing is ordered${
    flatten ? ', orders are cancelled and positions closed' : ''
  }. Reason: ${reason}`,
  data: { level: subject.level, by: actor.by, reason, flatten },
});

/** Returns the writes that record the throw for an owner who listens. */
const changeWrites = (
  runtime: Runtime,
  user: User | undefined,
  { subject: { level }, actor: { by }, reason, flatten }: Halt,
  now: Date,
): Write[] => {
  if (user?.listens_since === undefined) return [];
  const draft = { type: 'kill_switch.thrown', data: { level, by, reason, flatten } } as const;
  return userChangeWrites(runtime, user.user_id, [draft], now);
};

/**
 * Notifies an owner once of a throw that covers deployments of theirs, and records it in their audit trail unless they
 * threw the switch themselves.
 */
export const notifyOfThrow = (runtime: Runtime, halt: Halt, userId: string): Promise<void> =>
  retryOnConflict(async () => {
    const { store, clock, random } = runtime;
    const { throw_id, subject, actor, reason, flatten } = halt;
    const now = clock();
    const marker = keys.switchNotice(userId, throw_id);
    const wanted = [marker, ...noticeKeys(userId), ...auditKeys(userId)];
    const items = await store.getMany(wanted, { consistent: true });
    if (itemWith(items, marker)) return;
    const user = asUser(itemWith(items, keys.user(userId)));
    const { edit, writes } = noticeOf(runtime, userId, textOf(halt), { items, now });
    const entry = {
      audit_id: integerId(now, random),
      at: halt.at,
      action: 'kill_switch_thrown' as const,
      by: actor.by,
      reason,
      details: { level: subject.level, flatten },
    };
    // The throw of a user's own switch is in the trail already.
    const isRecorded = subject.level === 'user';
    await commit(
      store,
      [edit, ...(isRecorded ? [] : auditEdits(userId, undefined, [entry], items))],
      [
        {
          put: {
            ...marker,
            entity: 'switch_notice',
            throw_id,
            expires_at_s: Math.floor(now.getTime() / 1000) + KEEP_S,
          },
          if: { condition: 'attribute_not_exists(pk)' },
        },
        ...changeWrites(runtime, user, halt, now),
        ...writes,
      ],
    );
  });
