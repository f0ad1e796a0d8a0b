import * as z from 'zod';
import type { AuditText } from '../data/audit/audit-trail.ts';
import { commit, editKeys, ListEdit } from '../data/numbered-list/list-edit.ts';
import { headAttribute, headKey } from '../data/numbered-list/numbered-list.ts';
import { retryOnConflict } from '../data/numbered-list/retry.ts';
import { outboxWrite } from '../data/outbox/outbox.ts';
import { haltMessage, newHaltWrite } from '../data/switches/halts.ts';
import {
  type HoldChange,
  holdOf,
  holdWrites,
  type ReadSwitch,
  returningHold,
  returnWrite,
  type SwitchActor,
  type SwitchSubject,
  subjectKeys,
  switchToChange,
} from '../data/switches/switch-changes.ts';
import { trailsOf } from '../data/switches/switch-trail.ts';
import type { Hold } from '../data/switches/switches.ts';
import { DamagedItemError, type OnDamaged } from '../data/table/damaged-items.ts';
import { type Items, itemWith } from '../data/table/items.ts';
import type { Key, Write } from '../data/table/writes.ts';
import type { User } from '../data/users/users.ts';
import { integerId, textId } from '../ids.ts';
import type { Runtime } from '../runtime.ts';
import { reportDamaged } from './report-damaged.ts';

type Given = Pick<Runtime, 'store' | 'clock' | 'random'>;

/** Dependencies of a change: it reports the records that it cannot read. */
type Changing = Given & (Pick<Runtime, 'log' | 'metrics'> | { readonly onDamaged: OnDamaged });

/** A change of a switch by somebody. */
export interface SwitchCommand {
  readonly subject: SwitchSubject;
  readonly actor: SwitchActor;
  readonly reason: string;
  /** Further facts for the trails. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Items to read with the switch, and the check of them. It throws if the change is not allowed. */
export interface SwitchCondition {
  readonly keys: readonly Key[];
  readonly check: (items: Items) => void;
  /** Returns brokers whose holds end with a re-arming, too. */
  readonly abandonedBy?: (items: Items, found: ReadSwitch) => readonly number[];
}

const NO_CONDITION: SwitchCondition = { keys: [], check: () => undefined };

/** Returns the facts of a change for its trails. The owner's own trail names no other user. */
const detailsOf = ({ subject, actor, details }: SwitchCommand) => ({
  ...details,
  level: subject.level,
  ...(subject.level === 'user' && actor.by !== 'user' && { user_id: subject.user_id }),
  ...(subject.level === 'broker' && { broker_id: subject.broker_id }),
  ...(subject.level === 'user' && actor.by === 'broker' && { broker_id: actor.broker_id }),
});

/**
 * Returns the additions to the trails of a change.
 *
 * @param items read at the keys of their lists
 * @param onDamaged takes the error of a trail that cannot be read, which is left out; undefined: the change is refused.
 */
const trailEdits = (
  command: SwitchCommand,
  audit: AuditText,
  { now, items, random }: Pick<Runtime, 'random'> & { readonly now: Date; readonly items: Items },
  onDamaged?: OnDamaged,
): ListEdit[] => {
  const entry = {
    entity: 'audit_entry',
    ...audit,
    details: { ...detailsOf(command), ...audit.details },
    audit_id: integerId(now, random),
    at: now.toISOString(),
  };
  return trailsOf(command.subject, command.actor).flatMap((list) => {
    try {
      const edit = new ListEdit(list, items);
      edit.append(entry);
      return [edit];
    } catch (error) {
      if (!onDamaged || !(error instanceof z.ZodError)) throw error;
      // The partition of the trail of a user names the user.
      const name = list.pk.startsWith('AUDIT#') ? 'the trail of a user' : `the trail ${list.pk}`;
      const head = itemWith(items, headKey(list))?.[headAttribute(list)];
      onDamaged(new DamagedItemError(`the head of ${name} cannot be read`, error, head));
      return [];
    }
  });
};

/** Returns the writes that let a worker halt the deployments of a throw. */
const haltWrites = (halt: Parameters<typeof newHaltWrite>[0], now: Date, random: Runtime['random']) => [
  newHaltWrite(halt, now),
  outboxWrite(textId(random), haltMessage(halt.throw_id), now),
];

const reportTo = (given: Changing): OnDamaged =>
  'onDamaged' in given
    ? given.onDamaged
    : (error) => reportDamaged(given, error, { operation: 'kill_switch' });

/** Writes a change of a switch in one transaction with the entries in its trails. */
const change = async (
  given: Changing,
  command: SwitchCommand,
  condition: SwitchCondition,
  decide: (
    before: Hold | undefined,
    now: Date,
    items: Items,
    found: ReadSwitch,
  ) => { holds: readonly HoldChange[]; audit: AuditText; writes: readonly Write[] } | undefined,
  onDamagedTrail?: OnDamaged,
): Promise<boolean> =>
  retryOnConflict(async () => {
    const { store, clock, random } = given;
    const { subject, actor } = command;
    const now = clock();
    const lists = trailsOf(subject, actor);
    const items = await store.getMany(
      [...subjectKeys(subject), ...lists.flatMap((list) => editKeys(list)), ...condition.keys],
      { consistent: true },
    );
    condition.check(items);
    const found = switchToChange(items, subject, now, reportTo(given));
    const decided = decide(holdOf(found.stored, subject, actor), now, items, found);
    if (!decided) return false;
    const { holds, audit, writes } = decided;
    const edits = trailEdits(command, audit, { now, items, random }, onDamagedTrail);
    await commit(store, edits, [...holdWrites(found, holds), ...writes]);
    return true;
  });

/**
 * Throws a kill switch. One transaction writes the switch, its trails and the work of halting deployments. From then on
 * no order leaves. To throw a switch again changes its reason, and halts again; owners are notified again only of another reason,
 * or if positions are closed now. Nothing that is damaged stops a throw: a switch is replaced, and a trail is left out; both
 * are logged.
 *
 * @returns the id of the throw, which names the work of halting.
 */
export const throwSwitch = async (
  given: Changing,
  command: SwitchCommand & { readonly flatten: boolean },
  condition = NO_CONDITION,
): Promise<string> => {
  const { subject, actor, reason, flatten } = command;
  const throwId = textId(given.random);
  const decide: Parameters<typeof change>[3] = (before, now) => {
    const at = now.toISOString();
    const isRepeated = before?.reason === reason && before.flatten === flatten;
    const halt = {
      throw_id: throwId,
      subject,
      actor,
      at,
      reason,
      flatten,
      ...(isRepeated && { is_repeated: true as const }),
    };
    return {
      holds: [{ actor, hold: { at: before?.at ?? at, reason, flatten, throw_id: throwId } }],
      audit: { action: 'kill_switch_thrown', by: actor.by, reason, details: { flatten } },
      writes: haltWrites(halt, now, given.random),
    };
  };
  await change(given, command, condition, decide, reportTo(given));
  return throwId;
};

/**
 * Re-arms a kill switch: ends the hold of the actor, and of brokers that cannot end theirs any more. Halted deployments stay
 * halted until they are resumed one by one. A damaged switch is replaced: the holds of others that can be read stay, and an
 * operator also ends those that cannot be read.
 *
 * @returns false if there is no such hold; nothing changes then.
 */
export const reArmSwitch = (
  given: Changing,
  command: SwitchCommand,
  condition = NO_CONDITION,
): Promise<boolean> =>
  change(given, command, condition, (before, _now, items, found) => {
    const brokers = condition.abandonedBy?.(items, found) ?? [];
    const isDamaged = found.copies.some(({ damage }) => damage);
    if (!before && brokers.length === 0 && !isDamaged) return undefined;
    const { reason, actor } = command;
    const lost = actor.by === 'operator' ? found.lost : [];
    const details = {
      ...(isDamaged && { was_damaged: true }),
      ...(before && { thrown_at: before.at }),
      ...(brokers.length > 0 && { ended_holds_of: brokers }),
    };
    const left = brokers.map((broker_id) => ({
      actor: { by: 'broker' as const, broker_id },
      hold: undefined,
      isLeft: true,
    }));
    return {
      holds: [
        { actor, hold: undefined },
        ...left,
        ...lost.map((holder) => ({ actor: { holder }, hold: undefined })),
      ],
      audit: { action: 'kill_switch_re_armed', by: actor.by, reason, details },
      writes: [],
    };
  });

/** A user who links to a broker. */
interface Returning {
  readonly user: Pick<User, 'user_id' | 'email'>;
  readonly broker_id: number;
}

const returnOf = ({ user, broker_id }: Returning, reason: string) =>
  ({
    subject: { level: 'user', user_id: user.user_id },
    actor: { by: 'broker', broker_id },
    reason,
    details: { user_email: user.email },
  }) as const;

/**
 * Returns the writes for the transaction that links a user to a broker of which a hold returns. It comes back as if it was
 * thrown again: it is in the trails, and halts the deployments at the broker that the user resumed meanwhile. Refused if
 * switch or trails changed since they were read.
 *
 * @param items read at the key of the switch of the user
 */
export const returnWrites = async (
  { store, random }: Pick<Runtime, 'store' | 'random'>,
  returning: Returning,
  items: Items,
  now: Date,
): Promise<Write[]> => {
  const { user, broker_id } = returning;
  const throwId = textId(random);
  const write = returnWrite(items, user.user_id, broker_id, throwId);
  const hold = returningHold(items, user.user_id, broker_id);
  if (!write || !hold) return [];
  const { reason, flatten } = hold;
  const command = returnOf(returning, reason);
  const { subject, actor } = command;
  const wanted = trailsOf(subject, actor).flatMap((list) => editKeys(list));
  const heads = await store.getMany(wanted, { consistent: true });
  const audit = { action: 'kill_switch_thrown', by: actor.by, reason, details: { flatten } } as const;
  const edits = trailEdits(command, audit, { now, items: heads, random });
  const halt = { throw_id: throwId, subject, actor, at: now.toISOString(), reason, flatten };
  return [write, ...haltWrites(halt, now, random), ...edits.flatMap((edit) => edit.writes())];
};
