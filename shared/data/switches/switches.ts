import * as z from 'zod';
import { type Items, itemWith } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Key } from '../table/writes.ts';

/**
 * Kill switches of a user, of a broker and of the service. While one is thrown, no order leaves for the deployments
 * that it covers.
 *
 * A switch is thrown as long as somebody holds it. Each holder has an own entry, so that nobody re-arms a switch that
 * somebody else has thrown: an owner does not clear the hold of the operator or of a broker.
 */

/** Copies of the switch of the service. Each order reads one of them; an item takes 3,000 reads a second. */
export const SERVICE_COPIES = 8;

export const SWITCH_LEVELS = ['user', 'broker', 'service'] as const;
export type SwitchLevel = (typeof SWITCH_LEVELS)[number];

export const SWITCH_HOLDERS = ['user', 'broker', 'operator'] as const;
type SwitchHolder = (typeof SWITCH_HOLDERS)[number];

export const holdSchema = z.object({
  /** Time of the throw. */
  at: z.string(),
  reason: z.string(),
  /** True if positions are closed, too. */
  flatten: z.boolean(),
  /** The last throw; names the work of halting. */
  throw_id: z.string().optional(),
});

const switchSchema = z.object({
  /** Holds by holder: `user`, `operator`, `broker`, and `broker:<broker_id>` in the switch of a user. */
  holds: z.record(z.string(), holdSchema),
  /** Holds of brokers that the user has left, and then ended. They hold again when the user links to the broker again. */
  left: z.record(z.string(), holdSchema).optional(),
  /** Increases with every change. */
  rev: z.number(),
});

export type Hold = z.output<typeof holdSchema>;
export type Switch = z.output<typeof switchSchema>;

/** The deployments whose switches are read: of a user, at a broker if it names one. */
export interface SwitchScope {
  readonly user_id: string;
  readonly broker_id?: number | undefined;
}

/** Switches that were read together; undefined for each one that was never thrown. */
export interface Switches {
  readonly scope: SwitchScope;
  readonly user: Switch | undefined;
  readonly broker: Switch | undefined;
  readonly service: Switch | undefined;
}

/** A hold of a switch that covers a scope. */
export interface ThrownSwitch extends Hold {
  readonly level: SwitchLevel;
  readonly by: SwitchHolder;
  /** Set if it covers only deployments at this broker. */
  readonly broker_id?: number;
}

/** Returns the copy of the switch of the service that is read for a user. */
export const serviceKey = (userId: string): Key => {
  let sum = 0;
  for (const letter of userId) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return keys.serviceSwitch(sum % SERVICE_COPIES);
};

/** Returns the keys of the switches of a scope, to read them consistently together with other items. */
export const switchKeys = ({ user_id, broker_id }: SwitchScope): Key[] => [
  serviceKey(user_id),
  ...(broker_id === undefined ? [] : [keys.brokerSwitch(broker_id)]),
  keys.userSwitch(user_id),
];

/** Finds the switch with a key among items that were read together; undefined if it was never thrown. */
export const switchAt = (items: Items, key: Key): Switch | undefined => {
  const item = itemWith(items, key);
  return item && parseItem(switchSchema, item);
};

/**
 * Finds the switches of a scope among items that were read with {@link switchKeys}.
 *
 * @throws NewerRecordError if only a newer version can read a switch. No order may leave then.
 */
export const switchesIn = (items: Items, scope: SwitchScope): Switches => {
  const { user_id, broker_id } = scope;
  return {
    scope,
    user: switchAt(items, keys.userSwitch(user_id)),
    broker: broker_id === undefined ? undefined : switchAt(items, keys.brokerSwitch(broker_id)),
    service: switchAt(items, serviceKey(user_id)),
  };
};

/**
 * Reads the switches of user, broker and service consistently, in one call. Must run right before an order leaves.
 *
 * @throws NewerRecordError if only a newer version can read a switch. No order may leave then.
 * @example
 * const thrown = thrownSwitch(await readSwitches(store, deployment));
 * if (thrown) return cancel(order, `The kill switch is thrown: ${thrown.reason}`);
 */
export const readSwitches = async (store: Store, { user_id, broker_id }: SwitchScope): Promise<Switches> => {
  const scope = { user_id, broker_id };
  return switchesIn(await store.getMany(switchKeys(scope), { consistent: true }), scope);
};

/** Returns the name of a broker's entry among the holds of a user's switch. */
export const brokerHolder = (brokerId: number): string => `broker:${brokerId}`;

/** Returns who holds a switch. Holders that only a newer version knows count as the operator. */
const holderOf = (holder: string): SwitchHolder => {
  const kind = holder.split(':')[0];
  return SWITCH_HOLDERS.find((one) => one === kind) ?? 'operator';
};

/** Returns the holds of a switch. @param brokerIdOf returns the broker whose deployments alone a hold covers */
export const holdsIn = (
  level: SwitchLevel,
  one: Switch | undefined,
  brokerIdOf: (holder: string) => number | undefined = () => undefined,
): ThrownSwitch[] =>
  Object.entries(one?.holds ?? {}).map(([holder, hold]) => {
    const broker_id = brokerIdOf(holder);
    return { ...hold, level, by: holderOf(holder), ...(broker_id !== undefined && { broker_id }) };
  });

const BROKER_HOLDER = /^broker:(\d+)$/;

/** Returns the broker of a hold in the switch of a user; undefined for other holders. */
const brokerOf = (holder: string): number | undefined => {
  const id = BROKER_HOLDER.exec(holder)?.[1];
  return id === undefined ? undefined : Number(id);
};

/** Returns the brokers that hold the switch of a user, each for the deployments at itself. */
export const holdingBrokers = (user: Switch | undefined): number[] =>
  Object.keys(user?.holds ?? {}).flatMap((holder) => brokerOf(holder) ?? []);

/** Returns all holds that cover the scope, of the service first, then of the broker, then of the user. */
export const thrownSwitches = ({ scope, user, broker, service }: Switches): ThrownSwitch[] => [
  ...holdsIn('service', service),
  ...holdsIn('broker', broker, () => scope.broker_id),
  // A broker that holds the switch of a user covers deployments at itself only.
  ...holdsIn('user', user, brokerOf).filter(
    ({ broker_id }) => broker_id === undefined || broker_id === scope.broker_id,
  ),
];

/** Returns the widest hold that covers the scope; undefined if orders may leave. */
export const thrownSwitch = (switches: Switches): ThrownSwitch | undefined => thrownSwitches(switches)[0];
