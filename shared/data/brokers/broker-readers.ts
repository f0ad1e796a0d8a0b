import { type Items, itemWith } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import type { Key } from '../table/writes.ts';
import type { User } from '../users/users.ts';
import { isLinkedTo, isOnTrial } from './broker-accounts.ts';
import { asBroker, type Broker } from './brokers.ts';

/** A broker that reads users. */
export interface BrokerReader {
  readonly broker: Broker;
  /** True if an operator approved the broker. */
  readonly isApproved: boolean;
}

/** Returns the keys of a reading broker and of its approval. */
export const readerKeys = (subdomain: string): [Key, Key] => [
  keys.broker(subdomain),
  keys.listedBroker(subdomain),
];

/** Finds the reading broker among the items of {@link readerKeys}; undefined for an unknown or suspended one. */
export const brokerReaderIn = (items: Items, subdomain: string): BrokerReader | undefined => {
  const broker = asBroker(itemWith(items, keys.broker(subdomain)));
  if (!broker || broker.suspended_at !== undefined) return undefined;
  return { broker, isApproved: itemWith(items, keys.listedBroker(subdomain)) !== undefined };
};

/**
 * Returns whether a broker may read a user: linked to it, and the broker is approved or the user registered with it
 * today.
 */
export const mayRead = (user: User, { broker, isApproved }: BrokerReader, now: Date): boolean =>
  isLinkedTo(user, broker.subdomain) && (isApproved || isOnTrial(user, broker, now));
