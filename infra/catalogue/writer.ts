import {
  type InstrumentChange,
  instrumentMembers,
  staleCopies,
  writeInstruments,
} from '../../shared/data/instruments/instrument-write.ts';
import type { Item } from '../../shared/data/table/attributes.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { type BulkLoad, openBulkLoad } from '../local/database/bulk-load.ts';
import type { Target } from './target.ts';

/** Writes the batches of an import, each of which is in memory as a whole. */
export interface Writer {
  /** Lines per batch. */
  readonly lines: number;
  /** Gets changes ready, while those before are being written, and returns the function that writes them. */
  readonly stage: (changes: readonly InstrumentChange[]) => Promise<() => Promise<void>>;
}

const transactionsInto = (store: Store): Writer => ({
  // Large enough that the table seldom waits for the next batch.
  lines: 200,
  stage: async (changes) => () => writeInstruments(store, changes),
});

const NOTHING: Writer = { lines: 200, stage: async () => async () => undefined };

/** Returns the items of changes that delete none. */
const itemsOf = function* (changes: readonly InstrumentChange[]): Generator<Item> {
  for (const change of changes) {
    for (const member of instrumentMembers(change)) if ('put' in member) yield member.put;
  }
};

const loadsInto = (store: Store, bulk: BulkLoad): Writer => ({
  // Starting the import of the engine takes as long as about 100 lines.
  lines: 1000,
  // A bulk load deletes nothing.
  stage: async (changes) => {
    const { puts = [], rest = [] } = Object.groupBy(changes, (change) =>
      staleCopies(change).length === 0 ? 'puts' : 'rest',
    );
    const load = puts.length > 0 ? await bulk.stage(itemsOf(puts)) : undefined;
    return async () => {
      await load?.();
      await writeInstruments(store, rest);
    };
  },
});

/** Does work with the fastest writer into a table. The writer of a dry run writes nothing. */
export const withWriter = async <T>(
  { store, file }: Pick<Target, 'store' | 'file'>,
  dryRun: boolean,
  work: (writer: Writer) => Promise<T>,
): Promise<T> => {
  if (dryRun) return work(NOTHING);
  if (file === undefined) return work(transactionsInto(store));
  const bulk = await openBulkLoad(file, store.table);
  try {
    return await work(loadsInto(store, bulk));
  } finally {
    await bulk.close();
  }
};
