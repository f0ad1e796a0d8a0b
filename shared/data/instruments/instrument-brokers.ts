import {
  type Instrument,
  type RetailBroker,
  retailBrokerSchema,
} from '../../domain/instruments/instrument-records.ts';
import type { OnDamaged } from '../table/damaged-items.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import { instrumentsIn } from './instrument-copy.ts';

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

/**
 * Lists the instruments that a broker offers, by symbol.
 *
 * @param onDamaged takes the errors of damaged ones. Without it, they are errors.
 */
export const listOffered = async (
  store: Store,
  slug: string,
  onDamaged?: OnDamaged,
): Promise<Instrument[]> => {
  const copies = await store.queryItems({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': keys.brokerTicker(slug, '').pk },
    Limit: MAX_TICKERS,
  });
  return instrumentsIn(copies, onDamaged);
};
