import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { listOffered, listRetailBrokers } from '../../shared/data/instruments/instrument-brokers.ts';
import type { User } from '../../shared/data/users/users.ts';
import type { RetailBroker } from '../../shared/domain/instruments/instrument-records.ts';
import { own } from '../../shared/domain/unknown-fields.ts';
import { brokerTickersOut, presentInstrument } from './records/instrument.ts';

/** Finds a broker's slug by slug or id: a retail broker, or a white-label one of the user. */
const slugOf = (named: string, retail: readonly RetailBroker[], { brokers }: User): string | undefined => {
  const known: [string, { readonly broker_id: number }][] = [
    ...retail.map((one): [string, RetailBroker] => [one.slug, one]),
    ...Object.entries(brokers),
  ];
  return known.find(([slug, { broker_id: id }]) => slug === named || String(id) === named)?.[0];
};

export const getBrokerSpecificTickers = defineOperation({
  method: 'GET',
  path: '/get_broker_specific_tickers',
  name: 'get_broker_specific_tickers',
  summary: "List a broker's tickers",
  description: 'Sorted by symbol, at most 1,000.',
  caller: 'user',
  scope: 'read',
  input: { query: z.object({ user_id: z.string(), broker: z.string() }) },
  output: z.array(brokerTickersOut),
  errors: ['user_unknown', 'broker_unknown'],
  table: 'read',
  cache: 'private, no-cache',
  handler: async ({ query }, call) => {
    const named = query.broker.trim().toLowerCase();
    const [user, retail] = await Promise.all([call.user(), listRetailBrokers(call.store)]);
    const slug = slugOf(named, retail, user);
    if (slug === undefined) {
      throw new HubError('broker_unknown', 'There is no such broker: /get_b2c_brokers lists them.');
    }
    const offered = await listOffered(call.store, slug, call.onDamaged);
    return offered.flatMap((instrument) => {
      const listing = own(instrument.listings, slug);
      return listing ? [presentInstrument(instrument, listing.symbol)] : [];
    });
  },
});
