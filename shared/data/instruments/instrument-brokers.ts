import {
  type Instrument,
  type RetailBroker,
  retailBrokerSchema,
} from '../../domain/instruments/instrument-records.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import { copySchema } from './instrument-copy.ts';

/** The most retail brokers in a list. */
const MAX_BROKERS = 100;
/** The most tickers of a broker in a list; they fit one read and one answer. */
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
