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

/**
 * Writes instruments, no symbol twice, with everything by which they are found. The instruments' own
 * items are written last: where it was cut short, the next run finds them as they were and does it all.
 */
export const writeInstruments = async (store: Store, changes: readonly InstrumentChange[]): Promise<void> => {
  await store.batchWrite(changes.flatMap(copyMembers));
  await store.batchWrite(
    changes.map(({ next }) => ({ put: { ...next, ...keys.instrument(next.symbol), entity: 'instrument' } })),
  );
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
