import * as z from 'zod';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import { type Store, TransactionRefusedError } from '../table/store.ts';
import type { Write } from '../table/writes.ts';

const optional = z.string().optional();

/** Schema of a white-label broker as stored. */
export const brokerSchema = z.object({
  broker_id: z.number(),
  name: z.string(),
  /** The broker's name in URLs; `broker_domain` and `broker_sub_domain` hold it. */
  subdomain: z.string(),
  /** The broker's own identifier for itself; absent for some brokers that an operator set up. */
  guid: optional,
  /** Contact of the broker for the operator; users see `support_email`. */
  email: optional,
  support_email: optional,
  logo_url: optional,
  favicon_url: optional,
  app_name: optional,
  accent_color: optional,
  website: optional,
  /** Fingerprint of the current secret. */
  secret: optional,
  secret_since: optional,
  /** The previous secret; `valid_until` in epoch seconds. */
  previous_secret: z.object({ fingerprint: z.string(), valid_until: z.number() }).optional(),
  created_at: optional,
  /** Since when an operator has suspended the broker; absent if not suspended. */
  suspended_at: optional,
  /** Since when the broker may throw kill switches over its deployments; absent if an operator has not granted it. */
  risk_granted_at: optional,
});

export type Broker = z.output<typeof brokerSchema>;

/** The most white-label brokers that a sign-in page offers. */
const MAX_LISTED = 100;

const listed = z.object({ subdomain: z.string() });

/** Reads the white-label broker of a sub-domain. */
export const findBroker = (store: Store, subdomain: string): Promise<Broker | undefined> =>
  store.get(keys.broker(subdomain), brokerSchema);

/** Reads the sub-domain of the broker with a guid. */
export const findSubdomain = async (store: Store, guid: string): Promise<string | undefined> =>
  (await store.get(keys.brokerGuid(guid), listed))?.subdomain;

/** Returns the sub-domain from the item of a guid. */
export const ownerSubdomain = (item: Item | undefined): string | undefined =>
  item && parseItem(listed, item).subdomain;

/** Parses an item as a broker; undefined if there is no item. */
export const asBroker = (item: Item | undefined): Broker | undefined => item && parseItem(brokerSchema, item);

/** Lists the white-label brokers that sign-in pages offer. */
export const listBrokers = async (store: Store, limit = MAX_LISTED): Promise<Broker[]> => {
  const found = await store.query(
    {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.listedBroker('').pk },
      Limit: limit,
    },
    listed,
  );
  if (found.length === 0) return [];
  const brokers = await store.getMany(found.map(({ subdomain }) => keys.broker(subdomain)));
  return brokers.flatMap((item) => asBroker(item) ?? []);
};

/**
 * Returns the write that offers a broker on sign-in pages. Brokers that register themselves are not
 * offered until an operator decides so, because anyone can register under any name and logo. The listing is also the
 * operator's approval: without it, the broker's tokens link no existing user.
 */
export const listingWrite = (subdomain: string): Write => ({
  key: keys.listedBroker(subdomain),
  set: { entity: 'listed_broker', subdomain: subdomain.toLowerCase() },
});

/** Returns the write that withdraws a listing, and with it the approval. */
export const listingRemoval = (subdomain: string): Write => ({ delete: keys.listedBroker(subdomain) });

/** Returns the check that an operator approved the broker. */
export const approvedCheck = (subdomain: string): Write => ({
  check: keys.listedBroker(subdomain),
  if: { condition: 'attribute_exists(pk)' },
});

/** Returns the check that the broker is not suspended. */
export const actingCheck = (subdomain: string): Write => ({
  check: keys.broker(subdomain),
  if: { condition: 'attribute_not_exists(suspended_at)' },
});

/** Returns the writes that set up a white-label broker on sign-in pages. */
export const listedBrokerWrites = (broker: Broker): Write[] => [
  { key: keys.broker(broker.subdomain), set: { entity: 'broker', ...broker } },
  listingWrite(broker.subdomain),
];

/** Registers a broker under its sub-domain and its guid. @returns false if either is taken. */
export const registerBroker = async (store: Store, broker: Broker & { guid: string }): Promise<boolean> => {
  const isFree = { condition: 'attribute_not_exists(pk)' };
  try {
    await store.transact([
      { put: { ...keys.broker(broker.subdomain), entity: 'broker', ...broker }, if: isFree },
      {
        put: { ...keys.brokerGuid(broker.guid), entity: 'broker_guid', subdomain: broker.subdomain },
        if: isFree,
      },
    ]);
    return true;
  } catch (error) {
    if (error instanceof TransactionRefusedError) return false;
    throw error;
  }
};
