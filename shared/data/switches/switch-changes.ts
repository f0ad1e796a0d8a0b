import * as z from 'zod';
import type { Item } from '../table/attributes.ts';
import { DamagedItemError, type OnDamaged } from '../table/damaged-items.ts';
import { type Items, itemWith } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';
import { mayHold, salvagedSwitch } from './salvaged-switch.ts';
import { unchanged } from './switch-checks.ts';
import {
  brokerHolder,
  type Hold,
  SERVICE_COPIES,
  type Switch,
  type SwitchLevel,
  switchAt,
} from './switches.ts';

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

/** A copy of a switch. */
interface Copy {
  readonly key: Key;
  readonly stored: Switch | undefined;
  /** Set if it cannot be read. */
  readonly damage?: { readonly item: Item; readonly error: z.ZodError };
}

/** Finds a copy of a switch among items that were read together. */
export const copyAt = (items: Items, key: Key): Copy => {
  try {
    return { key, stored: switchAt(items, key) };
  } catch (error) {
    const item = itemWith(items, key);
    if (!item || !(error instanceof z.ZodError)) throw error;
    return { key, stored: undefined, damage: { item, error } };
  }
};

/** Reads the first copy of a switch that can be read; the first one if none can be read. */
const readCopy = async (store: Store, subject: SwitchSubject): Promise<Copy> => {
  const [first, ...others] = subjectKeys(subject);
  const copy = copyAt(await store.getMany([first], { consistent: true }), first);
  if (!copy.damage || others.length === 0) return copy;
  const items = await store.getMany(others, { consistent: true });
  return others.map((key) => copyAt(items, key)).find(({ damage }) => !damage) ?? copy;
};

/** Reads the switch of a subject: the first copy that can be read. @throws ZodError if none can be read */
export const readSwitch = async (store: Store, subject: SwitchSubject): Promise<Switch | undefined> => {
  const { damage, stored } = await readCopy(store, subject);
  if (damage) throw damage.error;
  return stored;
};

/**
 * Returns whether an actor holds the switch of a subject. A hold that cannot be read still holds.
 *
 * @param onDamaged takes the error of a switch that cannot be read.
 */
export const isHeld = async (
  store: Store,
  subject: SwitchSubject,
  actor: SwitchActor,
  onDamaged: OnDamaged,
): Promise<boolean> => {
  const { damage, stored } = await readCopy(store, subject);
  const holder = holderName(subject, actor);
  if (!damage) return stored?.holds[holder] !== undefined;
  onDamaged(new DamagedItemError(`${switchName(subject.level)} cannot be read`, damage.error, damage.item));
  return mayHold(damage.item, holder);
};

/** A switch to change. Its copies are written together. */
export interface ReadSwitch {
  readonly subject: SwitchSubject;
  readonly copies: readonly Copy[];
  /** The switch; as far as it can be read, if no copy can be read whole. */
  readonly stored: Switch | undefined;
  /** Holders whose holds cannot be read. */
  readonly lost: readonly string[];
}

/** Names a switch without its user, whose id is a credential. */
export const switchName = (level: SwitchLevel): string =>
  `the kill switch of ${level === 'service' ? 'the service' : `a ${level}`}`;

/** Names the owner of a switch among its holders. */
export const switchOwner = (level: SwitchLevel): string => (level === 'service' ? 'operator' : level);

/**
 * Returns a switch to change. A copy that cannot be read is replaced: by what the first of the others has, or else by what
 * can be read of it.
 *
 * @param items read at {@link subjectKeys}
 * @param onDamaged takes the error of each copy that cannot be read.
 */
export const switchToChange = (
  items: Items,
  subject: SwitchSubject,
  now: Date,
  onDamaged: OnDamaged = () => undefined,
): ReadSwitch => {
  const copies = subjectKeys(subject).map((key) => copyAt(items, key));
  for (const { damage } of copies) {
    const place = `${switchName(subject.level)} cannot be read, and is replaced`;
    if (damage) onDamaged(new DamagedItemError(place, damage.error, damage.item));
  }
  const whole = copies.find(({ damage }) => !damage);
  const [damage] = copies.flatMap((copy) => copy.damage ?? []);
  if (whole || !damage) return { subject, copies, stored: whole?.stored, lost: [] };
  // An operator or a broker may have held it, so no order leaves until both the owner and an operator have re-armed it.
  const holders = [switchOwner(subject.level), 'operator'];
  return { subject, copies, ...salvagedSwitch(damage.item, holders, now) };
};

/** Returns the hold of an actor; undefined if the actor does not hold the switch. */
export const holdOf = (
  one: Switch | undefined,
  subject: SwitchSubject,
  actor: SwitchActor,
): Hold | undefined => one?.holds[holderName(subject, actor)];

/** Change of the hold of an actor, or of another holder by name; without a hold, it ends. */
export interface HoldChange {
  readonly actor: SwitchActor | { readonly holder: string };
  readonly hold: Hold | undefined;
  /** True if the user has left the broker that holds: the hold is kept for a return. */
  readonly isLeft?: boolean;
}

/** Returns the condition that a damaged copy is as it was read, as far as its revision tells. */
const undisturbed = ({ rev }: Item) =>
  rev === undefined
    ? { condition: 'attribute_not_exists(rev)' }
    : { condition: 'rev = :rev', values: { ':rev': rev } };

/** Returns a write of the holds of a switch, on the condition that it is as it was read. */
const switchWrite = (
  { key, damage, stored: before }: Copy,
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
  if: damage ? undisturbed(damage.item) : unchanged(before),
});

/** Returns the writes that set or end holds of a switch. Their conditions fail if the switch changed since it was read. */
export const holdWrites = (
  { subject, copies, stored }: ReadSwitch,
  changes: readonly HoldChange[],
): Write[] =>
  copies.map((copy) => {
    const before = copy.damage ? stored : copy.stored;
    const holds = { ...before?.holds };
    const left = { ...before?.left };
    for (const { actor, hold, isLeft = false } of changes) {
      const name = 'holder' in actor ? actor.holder : holderName(subject, actor);
      const ended = holds[name];
      if (isLeft && ended) left[name] = ended;
      else delete left[name];
      if (hold) holds[name] = { ...ended, ...hold };
      else delete holds[name];
    }
    return switchWrite({ ...copy, stored: before }, holds, left);
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
  return switchWrite({ key, stored: before }, { ...returning, ...before.holds }, left);
};
