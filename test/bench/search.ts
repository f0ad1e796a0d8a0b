/**
 * Measures search among very different numbers of strategies and instruments: once a word has more
 * entries than one Query looks at, more of them must cost no more. Run by
 * `npm run bench:search [-- --largest 100000]`.
 */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readOptions } from '../../infra/commands/read-options.ts';
import { startDynamo } from '../../infra/local/database/dynamo.ts';
import { writeInstruments } from '../../shared/data/instruments/instrument-write.ts';
import { searchWrites } from '../../shared/data/strategies/strategy-search.ts';
import type { BatchMember } from '../../shared/data/table/batch-write.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { Store } from '../../shared/data/table/store.ts';
import { symbolText } from '../../shared/domain/instruments/instrument-search.ts';
import {
  lookupPrefix,
  matches,
  searchWords,
  titleOf,
  titlePartition,
} from '../../shared/domain/strategies/strategy-search.ts';
import { wordsOf } from '../../shared/domain/words.ts';
import { engineClient } from '../support/engine.ts';
import { startHub, type TestHub } from '../support/hub.ts';
import { furnish, register } from '../support/people.ts';
import { type Cost, costOf, meteredClient } from './meter.ts';
import { failWith, writeResult } from './result.ts';
import { BROKER_ID, instrumentAt, RARE, strategyAt } from './search-items.ts';
import { createStreamless } from './tables.ts';

const CHUNK = 2000;
const MAX_CALLS = 3;
const MIDDLE = 10_000;
/** Allowed growth of capacity from the middle to the largest size: entries differ in length. */
const TOLERANCE = 1.25;
/** Maximum use of a search at any size: two Queries of 400 entries of 200 bytes, and 50 strategies. */
const MAX_CAPACITY = 75;
const MAX_FOUND = { strategies: 50, instruments: 20 } as const;

/** A typical search text. */
interface Kind {
  readonly what: string;
  readonly term: string;
  /** True if Queries are full at the middle size, so that the largest must cost the same. */
  readonly settled: boolean;
  readonly brokerId?: number;
}

const STRATEGY_KINDS: readonly Kind[] = [
  { what: 'one letter', term: 'g', settled: true },
  { what: 'three letters', term: 'bre', settled: true },
  { what: 'rare word', term: RARE.word, settled: true },
  { what: 'two words', term: 'gold breakout', settled: true },
  { what: 'category word', term: 'forex', settled: true },
  { what: 'author and word', term: 'priya gold', settled: false },
];

const INSTRUMENT_KINDS: readonly Kind[] = [
  { what: 'one letter', term: 'g', settled: true },
  { what: 'three letters', term: 'glo', settled: true },
  { what: 'rare word', term: RARE.word, settled: true },
  { what: 'two words', term: 'global energy', settled: false },
  { what: 'common word', term: 'holdings', settled: true },
  { what: 'at one broker', term: 'holdings', settled: true, brokerId: BROKER_ID },
];

interface Measurement extends Cost {
  readonly of: keyof typeof MAX_FOUND;
  readonly what: string;
  readonly entries: number;
  readonly found: number;
  /** Number of matches in all data. */
  readonly findable: number;
}

/** Partitions of the search terms. Entries of others are never read, so they are not written. */
const READ_PARTITIONS = new Set([
  ...STRATEGY_KINDS.flatMap(({ term }) => [
    keys.strategySearch(lookupPrefix(wordsOf(term)), 0, 0).pk,
    keys.strategyTitle(titlePartition(titleOf(term)), '', 0).pk,
  ]),
  ...INSTRUMENT_KINDS.map(({ term, brokerId }) => {
    const scope = brokerId === undefined ? 'all' : `broker:${brokerId}`;
    return keys.instrumentSearch(scope, 'equity', { rank: 0, text: symbolText(term) }, '').pk;
  }),
]);

/** Leaves out items that no measured search reads. */
class SparingStore extends Store {
  override batchWrite(members: readonly BatchMember[]): Promise<void> {
    const isRead = (member: BatchMember): boolean =>
      !('put' in member) || member.put.entity === 'strategy' || READ_PARTITIONS.has(String(member.put.pk));
    return super.batchWrite(members.filter(isRead));
  }
}

const strategyMembers = (n: number): BatchMember[] => {
  const strategy = strategyAt(n);
  const entries = searchWrites(undefined, { strategy, likes: strategy.like_count });
  return [
    { put: { ...keys.strategy(strategy.strategy_id), entity: 'strategy', ...strategy } },
    ...entries.flatMap((write) => ('put' in write ? [{ put: write.put }] : [])),
  ];
};

const fill = async (store: Store, entries: number): Promise<void> => {
  for (let from = 0; from < entries; from += CHUNK) {
    const numbers = Array.from({ length: Math.min(CHUNK, entries - from) }, (_, index) => from + index);
    await store.batchWrite(numbers.flatMap(strategyMembers));
    await writeInstruments(
      store,
      numbers.map((n) => ({ stored: undefined, next: instrumentAt(n) })),
    );
    if (process.stderr.isTTY) process.stderr.write(`\r${from} of ${entries} strategies and instruments`);
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
};

const countWhere = (entries: number, isFindable: (n: number) => boolean): number => {
  let count = 0;
  for (let n = 0; n < entries; n++) if (isFindable(n)) count++;
  return count;
};

/** Searches, and returns the cost and the share of found matches. */
const measure = async (
  { of, kind, entries }: { of: Measurement['of']; kind: Kind; entries: number },
  search: () => ReturnType<TestHub['call']>,
  isFindable: (n: number) => boolean,
): Promise<Measurement> => {
  let found = 0;
  const cost = await costOf(async () => {
    const { status, body, text } = await search();
    if (status !== 200) throw new Error(`${kind.what}: status ${status}: ${text}`);
    found = body.length;
  });
  const findable = Math.min(MAX_FOUND[of], countWhere(entries, isFindable));
  return { of, what: kind.what, entries, ...cost, found, findable };
};

const measureStrategies = async (hub: TestHub, entries: number): Promise<Measurement[]> => {
  const measured: Measurement[] = [];
  for (const kind of STRATEGY_KINDS) {
    const typed = wordsOf(kind.term);
    const search = () => hub.call('POST /search_explore_strategies', { query: { term: kind.term } });
    const isFindable = (n: number) => matches(searchWords(strategyAt(n)), typed);
    measured.push(await measure({ of: 'strategies', kind, entries }, search, isFindable));
  }
  return measured;
};

const measureInstruments = async (hub: TestHub, entries: number): Promise<Measurement[]> => {
  const { user_id } = (await register(hub)).body;
  const measured: Measurement[] = [];
  for (const kind of INSTRUMENT_KINDS) {
    const query = {
      user_id,
      instrument: kind.term,
      ...(kind.brokerId !== undefined && { broker_id: String(kind.brokerId) }),
    };
    const search = () => hub.call('GET /get_instrument_suggestions_v2', { query });
    const isFindable = (n: number): boolean => {
      const { symbol, name, asset_class, listings } = instrumentAt(n);
      if (asset_class !== 'equity' || (kind.brokerId !== undefined && !listings.bench)) return false;
      return symbol.toLowerCase().startsWith(kind.term) || ` ${name.toLowerCase()}`.includes(` ${kind.term}`);
    };
    measured.push(await measure({ of: 'instruments', kind, entries }, search, isFindable));
  }
  return measured;
};

/** Returns the searches that cost too much. */
const failuresOf = (measured: readonly Measurement[], largest: number): string[] =>
  measured.flatMap(({ of, what, entries, calls, capacity }) => {
    const kinds = of === 'strategies' ? STRATEGY_KINDS : INSTRUMENT_KINDS;
    const settled = kinds.some((kind) => kind.what === what && kind.settled);
    const name = `${of}, ${what}, among ${entries.toLocaleString('en')}`;
    const before = measured.find((one) => one.of === of && one.what === what && one.entries === MIDDLE);
    const most = TOLERANCE * (before?.capacity ?? 0);
    return [
      ...(calls > MAX_CALLS ? [`${name}: ${calls} calls are more than ${MAX_CALLS}`] : []),
      ...(capacity > MAX_CAPACITY ? [`${name}: ${capacity} units are more than ${MAX_CAPACITY}`] : []),
      ...(settled && entries === largest && capacity > most
        ? [`${name}: ${capacity} units are more than ${TOLERANCE} times those among ${MIDDLE}`]
        : []),
    ];
  });

const HELP = `npm run bench:search [-- --largest 100000]

Measures search among up to this many strategies and instruments.`;

const { values: options } = readOptions(HELP, {
  options: { largest: { type: 'string', default: '100000' } },
});
const largest = Number(options.largest);
if (!Number.isInteger(largest) || largest <= MIDDLE) throw new TypeError(`--largest is more than ${MIDDLE}`);

const dynamo = await startDynamo();
const plain = new DynamoDBClient(engineClient(dynamo.endpoint));
const metered = meteredClient(dynamo.endpoint);
const hub = await startHub();
try {
  const measured: Measurement[] = [];
  for (const entries of [100, MIDDLE, largest]) {
    const table = `bench-search-${entries}`;
    await createStreamless(plain, table);
    const started = performance.now();
    await fill(new SparingStore(plain, table), entries);
    const filledInS = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${entries.toLocaleString('en')} strategies and instruments written in ${filledInS} s`);
    const here = hub.over(new Store(metered, table));
    await furnish(here);
    measured.push(...(await measureStrategies(here, entries)), ...(await measureInstruments(here, entries)));
  }
  const order = [...STRATEGY_KINDS, ...INSTRUMENT_KINDS].map(({ what }) => what);
  console.table(
    measured.toSorted((a, b) => b.of.localeCompare(a.of) || order.indexOf(a.what) - order.indexOf(b.what)),
  );
  await writeResult('search', { measured });
  failWith(failuresOf(measured, largest));
} finally {
  plain.destroy();
  metered.destroy();
  await Promise.all([dynamo.close(), hub.close()]);
}
