/**
 * Measures pages, an addition and a removal on lists of very different lengths: calls and consumed
 * capacity must not depend on the length. Run by `npm run bench:pages [-- --largest 100000]`.
 */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readOptions } from '../../infra/commands/read-options.ts';
import { startDynamo } from '../../infra/local/database/dynamo.ts';
import { addEntry, removeEntry } from '../../shared/data/numbered-list/list-changes.ts';
import { type NumberedList, readPage } from '../../shared/data/numbered-list/numbered-list.ts';
import { cardSchema } from '../../shared/data/strategies/strategies.ts';
import { Store } from '../../shared/data/table/store.ts';
import { engineClient } from '../support/engine.ts';
import { startHub } from '../support/hub.ts';
import { furnishWithCatalogue } from '../support/strategies.ts';
import { undamaged } from '../support/undamaged.ts';
import { cardAt, itemsOf, seqAt } from './list-items.ts';
import { type Cost, costOf, meteredClient } from './meter.ts';
import { FULL_BOOK, GLOBAL_PAGES, measureOrderBooks, ORDER_BOOK_PAGES } from './order-books.ts';
import { progress } from './progress.ts';
import { failWith, writeResult } from './result.ts';
import { createStreamless, fillTable } from './tables.ts';

const TABLE_NAME = 'bench-pages';
const PAGE_SIZE = 20;
const MAX_CALLS = 3;
/** Maximum difference in capacity between requests that must cost the same. */
const TOLERANCE = 2;
const ALIKE: Readonly<Record<string, readonly string[]>> = {
  pages: ['first page', 'middle page', 'last page'],
  appends: ['append'],
  removals: ['removal'],
  'pages of an order book': ORDER_BOOK_PAGES,
  'pages of all orders': GLOBAL_PAGES,
  'full order books': [FULL_BOOK],
};
const WHATS = Object.values(ALIKE).flat();

interface Measurement extends Cost {
  readonly entries: number;
  readonly what: string;
}

const measure = async (
  entries: number,
  what: string,
  request: (repeat: number) => Promise<unknown>,
): Promise<Measurement> => ({ entries, what, ...(await costOf(request)) });

const measurePage = (store: Store, list: NumberedList, entries: number, name: string, page: number) =>
  measure(entries, name, async () => {
    const { entries: cards, total } = await readPage(
      store,
      list,
      { page, size: PAGE_SIZE },
      cardSchema,
      undamaged,
    );
    const expected = cardAt(seqAt(entries - 1 - (page - 1) * PAGE_SIZE));
    if (total !== entries || cards.length !== PAGE_SIZE || cards[0]?.strategy_id !== expected.strategy_id) {
      throw new Error(`${name} of ${entries} entries is wrong`);
    }
  });

const measureList = async (store: Store, list: NumberedList, entries: number): Promise<Measurement[]> => {
  const pages = entries / PAGE_SIZE;
  return [
    await measurePage(store, list, entries, 'first page', 1),
    await measurePage(store, list, entries, 'middle page', Math.ceil(pages / 2)),
    await measurePage(store, list, entries, 'last page', pages),
    await measure(entries, 'append', (repeat) =>
      addEntry(store, list, { ...cardAt(entries + repeat), entity: 'strategy_card' }),
    ),
    await measure(entries, 'removal', (repeat) => removeEntry(store, list, seqAt(entries / 2 + repeat))),
  ];
};

/** Returns the costs that depend on the length. */
const unevenOf = (measured: readonly Measurement[]): string[] => {
  const failures: string[] = [];
  for (const [what, same = []] of Map.groupBy(measured, (one) => one.what)) {
    if (new Set(same.map(({ calls }) => calls)).size > 1)
      failures.push(`the calls of ${what} depend on the length`);
    if (same.some(({ calls }) => calls > MAX_CALLS))
      failures.push(`${what} takes more than ${MAX_CALLS} calls`);
  }
  for (const [kind, names] of Object.entries(ALIKE)) {
    const units = measured.filter(({ what }) => names.includes(what)).map(({ capacity }) => capacity);
    if (Math.max(...units) > TOLERANCE * Math.min(...units))
      failures.push(`the capacity of ${kind} is not flat`);
  }
  return failures;
};

const HELP = `npm run bench:pages [-- --largest 1000000]

Measures pages of lists up to this length.`;

const { values: options } = readOptions(HELP, {
  options: { largest: { type: 'string', default: '1000000' } },
});
const largest = Number(options.largest);
if (!Number.isInteger(largest / 100) || largest <= 0) throw new TypeError('--largest is a multiple of 100');
const sizes = [100, 10_000, largest];

const dynamo = await startDynamo();
const plain = new DynamoDBClient(engineClient(dynamo.endpoint));
const metered = meteredClient(dynamo.endpoint);
const hub = await startHub();
try {
  await createStreamless(plain, TABLE_NAME);
  const store = new Store(metered, TABLE_NAME);
  const trading = hub.over(store);
  await furnishWithCatalogue(trading);
  const measured: Measurement[] = [];
  for (const entries of sizes) {
    const list: NumberedList = { pk: `EXPLORE#${entries}` };
    const members = itemsOf(list, entries).map((put) => ({ put }));
    progress(`${entries.toLocaleString('en')} entries`);
    await fillTable(store, `${entries.toLocaleString('en')} entries`, members);
    measured.push(...(await measureList(store, list, entries)));
    measured.push(...(await measureOrderBooks(trading, entries)));
  }
  console.table(measured.toSorted((a, b) => WHATS.indexOf(a.what) - WHATS.indexOf(b.what)));
  await writeResult('pages', { pageSize: PAGE_SIZE, measured });
  failWith(unevenOf(measured));
} finally {
  plain.destroy();
  metered.destroy();
  await Promise.all([dynamo.close(), hub.close()]);
}
