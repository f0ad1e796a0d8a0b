import type { Instrument, RetailBroker, Universe } from '../../domain/instruments/instrument-records.ts';
import { searchEntriesOf } from '../../domain/instruments/instrument-search.ts';
import { own, withUnknownOf } from '../../domain/unknown-fields.ts';
import type { BatchMember } from '../table/batch-write.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';
import { copyItems } from './instrument-copy.ts';

/** An instrument to store, and the stored one if it exists. */
export interface InstrumentChange {
  readonly stored: Instrument | undefined;
  readonly next: Instrument;
}

/** Returns the keys of an instrument's copies, which make each list one Query. */
const copiesOf = (instrument: Instrument): Key[] => [
  ...searchEntriesOf(instrument).map((entry) =>
    keys.instrumentSearch(entry.scope, instrument.asset_class, entry, instrument.symbol),
  ),
  ...Object.keys(instrument.listings).map((slug) => keys.brokerTicker(slug, instrument.symbol)),
];

/** Returns the listings to store. Keeps attributes of stored listings that this version does not know. */
const listingsOver = (stored: Instrument | undefined, { listings }: Instrument): Instrument['listings'] =>
  Object.fromEntries(
    Object.entries(listings).map(([slug, listing]) => [
      slug,
      withUnknownOf((stored && own(stored.listings, slug)) ?? {}, listing),
    ]),
  );

const byKey = (instrument: Instrument): Map<string, Key> =>
  new Map(copiesOf(instrument).map((key) => [`${key.pk}\n${key.sk}`, key]));

/** Returns the keys of the stored copies that a change deletes. */
export const staleCopies = ({ stored, next }: InstrumentChange): Key[] => {
  if (!stored) return [];
  const copies = byKey(next);
  return [...byKey(stored)].filter(([name]) => !copies.has(name)).map(([, key]) => key);
};

const copyMembers = (change: InstrumentChange): BatchMember[] => [
  ...copyItems([...byKey(change.next).values()], change.next).map((put) => ({ put })),
  ...staleCopies(change).map((key) => ({ delete: key })),
];

/** The most members of one DynamoDB transaction. */
const MAX_MEMBERS = 100;
const PARALLEL_TRANSACTIONS = 4;

const instrumentMember = ({ stored, next }: InstrumentChange): BatchMember => ({
  put: {
    ...withUnknownOf(stored ?? {}, next),
    listings: listingsOver(stored, next),
    ...keys.instrument(next.symbol),
    entity: 'instrument',
  },
});

/** Returns the writes that change an instrument and all its copies. */
export const instrumentMembers = (change: InstrumentChange): BatchMember[] => [
  ...copyMembers(change),
  instrumentMember(change),
];

/** Groups instruments into transactions without splitting one. */
const transactionsOf = (instruments: readonly (readonly BatchMember[])[]): BatchMember[][] => {
  const transactions: BatchMember[][] = [];
  let open: BatchMember[] = [];
  for (const members of instruments) {
    if (open.length + members.length > MAX_MEMBERS) {
      transactions.push(open);
      open = [];
    }
    open.push(...members);
  }
  return open.length > 0 ? [...transactions, open] : transactions;
};

/** Writes an instrument with more copies than a transaction takes. Its own item is written last. */
const writeLarge = async (store: Store, change: InstrumentChange): Promise<void> => {
  await store.batchWrite(copyMembers(change));
  await store.batchWrite([instrumentMember(change)]);
};

/**
 * Writes instruments with all their copies. No symbol may occur twice. Each instrument changes as a whole, in one
 * transaction. This costs twice the write units of a batch, in one commit instead of 25.
 */
export const writeInstruments = async (store: Store, changes: readonly InstrumentChange[]): Promise<void> => {
  const members = changes.map(instrumentMembers);
  const large = changes.filter((_, index) => (members[index]?.length ?? 0) > MAX_MEMBERS);
  const transactions = transactionsOf(members.filter(({ length }) => length <= MAX_MEMBERS)).values();
  const work = async (): Promise<void> => {
    // The workers share one iterator, so each transaction is written once.
    for (const transaction of transactions) await store.transact(transaction);
  };
  await Promise.all(Array.from({ length: PARALLEL_TRANSACTIONS }, work));
  for (const change of large) await writeLarge(store, change);
};

/** Writes the retail brokers and the universes of a catalogue. */
export const writeCatalogueLists = async (
  store: Store,
  {
    brokers,
    universes,
  }: { readonly brokers: readonly RetailBroker[]; readonly universes: readonly Universe[] },
): Promise<void> => {
  const writes: Write[] = [
    ...brokers.map((broker) => ({
      key: keys.retailBroker(broker.slug),
      set: { ...broker, entity: 'retail_broker' },
    })),
    ...universes.map((universe) => ({
      key: keys.universe(universe.universe_id),
      set: { ...universe, entity: 'universe' },
    })),
  ];
  for (let at = 0; at < writes.length; at += MAX_MEMBERS) {
    await store.transact(writes.slice(at, at + MAX_MEMBERS));
  }
};
