import type { Instrument, RetailBroker, Universe } from '../domain/instruments-records.ts';
import { searchEntriesOf } from '../domain/instruments-search.ts';
import type { BatchMember } from './batch-write.ts';
import { copyItem } from './instruments-copy.ts';
import { keys } from './keys.ts';
import type { Key, Store } from './store.ts';

/** An instrument as it shall be, and as it is stored where it is. */
export interface InstrumentChange {
  readonly stored: Instrument | undefined;
  readonly next: Instrument;
}

/** Where an instrument is written beside its own item, so that each reading is one Query. */
const copiesOf = (instrument: Instrument): Key[] => [
  ...searchEntriesOf(instrument).map((entry) =>
    keys.instrumentSearch(entry.scope, instrument.asset_class, entry, instrument.symbol),
  ),
  ...Object.keys(instrument.listings).map((slug) => keys.brokerTicker(slug, instrument.symbol)),
];

const byKey = (instrument: Instrument | undefined): Map<string, Key> =>
  new Map((instrument ? copiesOf(instrument) : []).map((key) => [`${key.pk}\n${key.sk}`, key]));

const copyMembers = ({ stored, next }: InstrumentChange): BatchMember[] => {
  const copies = byKey(next);
  const stale = [...byKey(stored)].filter(([name]) => !copies.has(name));
  return [
    ...[...copies.values()].map((key) => ({ put: copyItem(key, next) })),
    ...stale.map(([, key]) => ({ delete: key })),
  ];
};

/** DynamoDB takes so many members in one transaction. */
const MAX_MEMBERS = 100;
const PARALLEL_TRANSACTIONS = 4;

const instrumentMember = ({ next }: InstrumentChange): BatchMember => ({
  put: { ...next, ...keys.instrument(next.symbol), entity: 'instrument' },
});

/** Puts whole instruments together into transactions, as many as one takes. */
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

/** Writes an instrument of more copies than a transaction takes. Its own item is last: it is found as it was until then. */
const writeLarge = async (store: Store, change: InstrumentChange): Promise<void> => {
  await store.batchWrite(copyMembers(change));
  await store.batchWrite([instrumentMember(change)]);
};

/**
 * Writes instruments, no symbol twice, with everything by which they are found. An instrument changes as a
 * whole, in one transaction. That costs twice the write units of a batch, and one commit instead of 25.
 */
export const writeInstruments = async (store: Store, changes: readonly InstrumentChange[]): Promise<void> => {
  const members = changes.map((change) => [...copyMembers(change), instrumentMember(change)]);
  const large = changes.filter((_, index) => (members[index]?.length ?? 0) > MAX_MEMBERS);
  const transactions = transactionsOf(members.filter(({ length }) => length <= MAX_MEMBERS)).values();
  const work = async (): Promise<void> => {
    // The workers share one iterator, so each transaction is taken once.
    for (const transaction of transactions) await store.transact(transaction);
  };
  await Promise.all(Array.from({ length: PARALLEL_TRANSACTIONS }, work));
  for (const change of large) await writeLarge(store, change);
};

/** Writes the retail brokers and the universes of a catalogue. */
export const writeCatalogueLists = (
  store: Store,
  {
    brokers,
    universes,
  }: { readonly brokers: readonly RetailBroker[]; readonly universes: readonly Universe[] },
): Promise<void> =>
  store.batchWrite([
    ...brokers.map((broker) => ({
      put: { ...broker, ...keys.retailBroker(broker.slug), entity: 'retail_broker' },
    })),
    ...universes.map((universe) => ({
      put: { ...universe, ...keys.universe(universe.universe_id), entity: 'universe' },
    })),
  ]);
