import * as z from 'zod';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import { type Store, TransactionRefusedError, type Write } from '../table/store.ts';

const optional = z.string().optional();

export const brokerSchema = z.object({
  broker_id: z.number(),
  name: z.string(),
  /** The broker's name in addresses: what `broker_domain` and `broker_sub_domain` mean. */
  subdomain: z.string(),
  /** Under which the broker knows itself; brokers that an operator set up may have none. */
  guid: optional,
  /** The broker's own contact; users are told `support_email`. */
  email: optional,
  support_email: optional,
  logo_url: optional,
  favicon_url: optional,
  app_name: optional,
  accent_color: optional,
  website: optional,
  /** Fingerprint of the secret that works now. */
  secret: optional,
  secret_since: optional,
  /** The one before it; `valid_until` in epoch seconds. */
  previous_secret: z.object({ fingerprint: z.string(), valid_until: z.number() }).optional(),
  created_at: optional,
  /** Since when an operator keeps it from acting, where one does. */
  suspended_at: optional,
});

export type Broker = z.output<typeof brokerSchema>;

/** White-label brokers that a sign-in page can offer at most. */
const MAX_LISTED = 100;

const listed = z.object({ subdomain: z.string() });

/** Reads the white-label broker of a sub-domain. */
export const findBroker = (store: Store, subdomain: string): Promise<Broker | undefined> =>
  store.get(keys.broker(subdomain), brokerSchema);

/** The sub-domain of the broker with a guid. */
export const findSubdomain = async (store: Store, guid: string): Promise<string | undefined> =>
  (await store.get(keys.brokerGuid(guid), listed))?.subdomain;

/** The sub-domain in the item that a guid leads to. */
export const subdomainIn = (item: Record<string, unknown> | undefined): string | undefined =>
  item && parseItem(listed, item).subdomain;

/** Parses an item of the table as a broker; undefined where there is none. */
export const asBroker = (item: Record<string, unknown> | undefined): Broker | undefined =>
  item && parseItem(brokerSchema, item);

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
 * Offers a broker on sign-in pages, or takes it off them. Those that register themselves are not offered
 * until an operator says so: anybody can be one, under any name and logo. It is also the operator's
 * approval of the broker: without it, its tokens link no existing user.
 */
export const listingWrite = (subdomain: string, offered: boolean): Write =>
  offered
    ? {
        key: keys.listedBroker(subdomain),
        set: { entity: 'listed_broker', subdomain: subdomain.toLowerCase() },
      }
    : { delete: keys.listedBroker(subdomain) };

/** Refused where no operator approved of the broker. */
export const approvedCheck = (subdomain: string): Write => ({
  check: keys.listedBroker(subdomain),
  if: { condition: 'attribute_exists(pk)' },
});

/** Refused while an operator keeps the broker from acting. */
export const actingCheck = (subdomain: string): Write => ({
  check: keys.broker(subdomain),
  if: { condition: 'attribute_not_exists(suspended_at)' },
});

/** Sets up a white-label broker that sign-in pages offer. */
export const listedBrokerWrites = (broker: Broker): Write[] => [
  { key: keys.broker(broker.subdomain), set: { entity: 'broker', ...broker } },
  listingWrite(broker.subdomain, true),
];

/** Registers a broker under its sub-domain and its guid; false where either is taken. */
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
