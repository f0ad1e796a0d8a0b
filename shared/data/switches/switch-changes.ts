import * as z from 'zod';
import type { Items } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import type { Key, Write } from '../table/writes.ts';
import { unchanged } from './switch-checks.ts';
import { brokerHolder, type Hold, SERVICE_COPIES, switchAt } from './switches.ts';

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

/** Returns the hold of an actor; undefined if the actor does not hold the switch. @param items read at {@link subjectKeys} */
export const holdIn = (items: Items, subject: SwitchSubject, actor: SwitchActor): Hold | undefined =>
  switchAt(items, subjectKeys(subject)[0])?.holds[holderName(subject, actor)];

/** Change of the hold of an actor; without a hold, it ends. */
export interface HoldChange {
  readonly actor: SwitchActor;
  readonly hold: Hold | undefined;
}

/**
 * Returns the writes that set or end holds of a switch. Their conditions fail if the switch changed since it was read.
 *
 * @param items read at {@link subjectKeys}
 */
export const holdWrites = (items: Items, subject: SwitchSubject, changes: readonly HoldChange[]): Write[] =>
  subjectKeys(subject).map((key) => {
    const before = switchAt(items, key);
    const holds = { ...before?.holds };
    for (const { actor, hold } of changes) {
      const name = holderName(subject, actor);
      if (hold) holds[name] = { ...holds[name], ...hold };
      else delete holds[name];
    }
    return { key, set: { entity: 'switch', holds, rev: (before?.rev ?? 0) + 1 }, if: unchanged(before) };
  });
