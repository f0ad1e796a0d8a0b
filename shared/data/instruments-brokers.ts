import { type Instrument, type RetailBroker, retailBrokerSchema } from '../domain/instruments-records.ts';
import { copySchema } from './instruments-copy.ts';
import { keys } from './keys.ts';
import type { Store } from './store.ts';

/** Retail brokers that the service lists at most. */
const MAX_BROKERS = 100;
/** Tickers of one broker that are listed at most: they fit into one read and one answer. */
const MAX_TICKERS = 1000;

/** Lists the retail brokers, by slug. */
export const listRetailBrokers = (store: Store): Promise<RetailBroker[]> =>
  store.query(
    {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.retailBroker('').pk },
      Limit: MAX_BROKERS,
    },
    retailBrokerSchema,
  );

/** Lists the instruments that a broker offers, by symbol. */
export const listOffered = async (store: Store, slug: string): Promise<Instrument[]> => {
  const copies = await store.query(
    {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.brokerTicker(slug, '').pk },
      Limit: MAX_TICKERS,
    },
    copySchema,
  );
  return copies.map(({ instrument }) => instrument);
};
