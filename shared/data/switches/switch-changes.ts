import * as z from 'zod';
import type { Items } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';
import { unchanged } from './switch-checks.ts';
import { brokerHolder, type Hold, SERVICE_COPIES, type Switch, switchAt } from './switches.ts';

/** The deployments that a switch covers: of a user, at a broker, or all. */
export const switchSubjectSchema = z.discriminatedUnion('level', [
  z.object({ level: z.literal('user'), user_id: z.string() }),
  z.object({ level: z.literal('broker'), broker_id: z.number() }),
  z.object({ level: z.literal('service') }),
]);

export type SwitchSubject = z.output<typeof switchSubjectSchema>;

/** The one who throws a switch. A broker throws its own switch, or that of a user for the deployments at itself. */
export const switchActorSchema = z.discriminatedUnion('by', [
  z.object({ by: z.literal('user') }),
  z.object({ by: z.literal('operator') }),
  z.object({ by: z.literal('broker'), broker_id: z.number() }),
]);

export type SwitchActor = z.output<typeof switchActorSchema>;

/** Returns the name of an actor's entry among the holds of a switch. */
const holderName = (subject: SwitchSubject, actor: SwitchActor): string =>
  actor.by === 'broker' && subject.level === 'user' ? brokerHolder(actor.broker_id) : actor.by;

/** Returns the keys of the switch of a subject. All copies are written together. */
export const subjectKeys = (subject: SwitchSubject): readonly [Key, ...Key[]] => {
  switch (subject.level) {
    case 'user':
      return [keys.userSwitch(subject.user_id)];
    case 'broker':
      return [keys.brokerSwitch(subject.broker_id)];
    case 'service': {
      const copies = Array.from({ length: SERVICE_COPIES - 1 }, (_, copy) => keys.serviceSwitch(copy + 1));
      return [keys.serviceSwitch(0), ...copies];
    }
    default:
      return subject satisfies never;
  }
};

/** A copy of a switch; `isDamaged` if it cannot be read. */
interface Copy {
  readonly key: Key;
  readonly isDamaged: boolean;
  readonly stored: Switch | undefined;
}

const copyAt = (items: Items, key: Key): Copy => {
  try {
    return { key, isDamaged: false, stored: switchAt(items, key) };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    return { key, isDamaged: true, stored: undefined };
  }
};

/**
 * Returns the copies of a switch, which are written together. One that cannot be read is as the first of the others.
 *
 * @throws ZodError if none can be read. No order leaves then.
 */
const copiesIn = (items: Items, subject: SwitchSubject): readonly [Copy, ...Copy[]] => {
  const [first, ...others] = subjectKeys(subject);
  const copies = [first, ...others].map((key) => copyAt(items, key));
  const readable = copies.find(({ isDamaged }) => !isDamaged);
  const stored = readable ? readable.stored : switchAt(items, first);
  const whole = copies.map((copy) => (copy.isDamaged ? { ...copy, stored } : copy));
  return [whole[0] ?? { key: first, isDamaged: false, stored }, ...whole.slice(1)];
};

/** Reads the switch of a subject: a copy of it, and the others if that one cannot be read. */
export const readSwitch = async (store: Store, subject: SwitchSubject): Promise<Switch | undefined> => {
  const [first, ...others] = subjectKeys(subject);
  const { isDamaged, stored } = copyAt(await store.getMany([first], { consistent: true }), first);
  if (!isDamaged) return stored;
  return copiesIn(await store.getMany([first, ...others], { consistent: true }), subject)[0].stored;
};

/** Returns the hold of an actor; undefined if the actor does not hold the switch. */
export const holdOf = (
  one: Switch | undefined,
  subject: SwitchSubject,
  actor: SwitchActor,
): Hold | undefined => one?.holds[holderName(subject, actor)];

/** Returns the {@link holdOf} an actor. @param items read at {@link subjectKeys} */
export const holdIn = (items: Items, subject: SwitchSubject, actor: SwitchActor): Hold | undefined =>
  holdOf(copiesIn(items, subject)[0].stored, subject, actor);

/** Change of the hold of an actor; without a hold, it ends. */
export interface HoldChange {
  readonly actor: SwitchActor;
  readonly hold: Hold | undefined;
  /** True if the user has left the broker that holds: the hold is kept for a return. */
  readonly isLeft?: boolean;
}

/**
 * Returns a write of the holds of a switch, on the condition that it is as it was read. A damaged copy is replaced: the
 * conditions of the others guard it.
 */
const switchWrite = (
  { key, isDamaged, stored: before }: Copy,
  holds: Switch['holds'],
  left: Switch['holds'],
): Write => ({
  key,
  set: {
    entity: 'switch',
    holds,
    left: Object.keys(left).length > 0 ? left : undefined,
    rev: (before?.rev ?? 0) + 1,
  },
  ...(!isDamaged && { if: unchanged(before) }),
});

/**
 * Returns the writes that set or end holds of a switch. Their conditions fail if the switch changed since it was read.
 *
 * @param items read at {@link subjectKeys}
 */
export const holdWrites = (items: Items, subject: SwitchSubject, changes: readonly HoldChange[]): Write[] =>
  copiesIn(items, subject).map((copy) => {
    const before = copy.stored;
    const holds = { ...before?.holds };
    const left = { ...before?.left };
    for (const { actor, hold, isLeft = false } of changes) {
      const name = holderName(subject, actor);
      const ended = holds[name];
      if (isLeft && ended) left[name] = ended;
      else delete left[name];
      if (hold) holds[name] = { ...ended, ...hold };
      else delete holds[name];
    }
    return switchWrite(copy, holds, left);
  });

/** Returns the hold of a broker that the user ended after leaving it, and that comes back with a new link; undefined without one. */
export const returningHold = (items: Items, userId: string, brokerId: number): Hold | undefined => {
  const { holds = {}, left = {} } = switchAt(items, keys.userSwitch(userId)) ?? {};
  const name = brokerHolder(brokerId);
  return holds[name] ? undefined : left[name];
};

/**
 * Returns the write for the transaction that links a user to a broker: a {@link returningHold} holds again. Refused if the
 * switch changed since it was read, so that no hold of the broker ends in between. Undefined if there is none that could.
 *
 * @param items read at the key of the switch of the user
 * @param throwId names the work of halting, if a hold returns
 */
export const returnWrite = (
  items: Items,
  userId: string,
  brokerId: number,
  throwId?: string,
): Write | undefined => {
  const key = keys.userSwitch(userId);
  const before = switchAt(items, key);
  const name = brokerHolder(brokerId);
  const { [name]: ended, ...left } = before?.left ?? {};
  if (!before || !(ended || before.holds[name])) return undefined;
  const returning = ended && { [name]: { ...ended, throw_id: throwId } };
  const copy = { key, isDamaged: false, stored: before };
  return switchWrite(copy, { ...returning, ...before.holds }, left);
};
