import { type DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import * as z from 'zod';
import { addEntry, removeEntry, retryOnListConflict } from '../../shared/data/numbered-list/list-changes.ts';
import { commit, editKeys, ListContendedError, ListEdit } from '../../shared/data/numbered-list/list-edit.ts';
import { type Order, totalOf } from '../../shared/data/numbered-list/list-head.ts';
import {
  entryKey,
  headIn,
  headKey,
  type NumberedList,
  readHead,
  readPage,
} from '../../shared/data/numbered-list/numbered-list.ts';
import { Store, TransactionRefusedError } from '../../shared/data/table/store.ts';
import { type Engine, openEngineClient, startEngine } from '../support/engine.ts';
import { soakable } from '../support/soak.ts';
import { undamaged } from '../support/undamaged.ts';

const entrySchema = z.object({ name: z.number() });
const itemSchema = z.record(z.string(), z.unknown());
const consistent = { consistent: true };

let engine: Engine;
let client: DynamoDBClient;
let store: Store;
const calls: string[] = [];
let lists = 0;

/** Creates a list with small chunks. */
const newList = (span = 8): NumberedList => ({ pk: `LIST#${lists++}`, span });

const fill = async (list: NumberedList, count: number): Promise<void> => {
  const edit = new ListEdit(list, await store.getMany(editKeys(list), consistent));
  for (let name = 0; name < count; name++) edit.append({ entity: 'test', name });
  await commit(store, [edit]);
};

const remove = async (list: NumberedList, seqs: readonly number[]): Promise<void> => {
  const edit = new ListEdit(list, await store.getMany(editKeys(list, seqs), consistent));
  for (const seq of seqs) edit.remove(seq);
  await commit(store, [edit]);
};

const namesOn = async (list: NumberedList, page: number, size: number, order: Order = 'newest') => {
  const { entries, total } = await readPage(store, list, { page, size, order }, entrySchema, undamaged);
  return { names: entries.map(({ name }) => name), total };
};

const allNames = async (list: NumberedList): Promise<number[]> => {
  const names: number[] = [];
  for (let page = 1; ; page++) {
    const found = await namesOn(list, page, 17);
    if (found.names.length === 0) return names;
    names.push(...found.names);
  }
};

const itemsOf = ({ pk }: NumberedList) =>
  store.query(
    { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, ConsistentRead: true },
    itemSchema,
  );

beforeAll(async () => {
  engine = await startEngine();
  client = openEngineClient(engine.endpoint);
  client.middlewareStack.add(
    (next, context) => (args) => {
      calls.push(String(context.commandName).replace('Command', ''));
      return next(args);
    },
    { step: 'initialize', name: 'countCalls' },
  );
  store = new Store(client, engine.table);
});

beforeEach(() => {
  calls.length = 0;
});

afterAll(async () => {
  client.destroy();
  await engine.stop();
});

const part = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const step = fc.record({
  add: fc.integer({ min: 0, max: 12 }),
  remove: fc.array(part, { maxLength: 10 }),
  page: fc.integer({ min: 1, max: 8 }),
  size: fc.integer({ min: 1, max: 9 }),
  order: fc.constantFrom<Order>('newest', 'oldest'),
});

test('has the pages and totals of a plain array, with any simultaneous additions and removals', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 9 }),
      fc.array(step, { minLength: 1, maxLength: 6 }),
      async (span, steps) => {
        const list = newList(span);
        const model: number[] = [];
        for (const { add, remove: parts, page, size, order } of steps) {
          const doomed = [...new Set(parts.map((at) => model[Math.floor(at * model.length)] ?? -1))];
          const edit = new ListEdit(list, await store.getMany(editKeys(list, doomed), consistent));
          for (const seq of doomed) expect(edit.remove(seq)).toBe(model.includes(seq));
          for (const seq of doomed.filter((gone) => model.includes(gone)))
            model.splice(model.indexOf(seq), 1);
          for (let added = 0; added < add; added++) {
            const seq = edit.append({ entity: 'test', name: 0 });
            model.push(seq);
          }
          await commit(store, [edit]);
          expect(totalOf(await readHead(store, list))).toBe(model.length);
          const seqSchema = z.object({ sk: z.string().transform(Number) });
          const { entries, total } = await readPage(store, list, { page, size, order }, seqSchema, undamaged);
          const all = order === 'newest' ? model.toReversed() : model;
          expect(entries.map(({ sk }) => sk)).toEqual(all.slice((page - 1) * size, page * size));
          expect(total).toBe(model.length);
        }
      },
    ),
    { numRuns: soakable(4, 80) },
  );
});

describe('a page', () => {
  test('of a list that never had an entry is empty', async () => {
    expect(await namesOn(newList(), 1, 10)).toEqual({ names: [], total: 0 });
    expect(await namesOn(newList(), 9, 10, 'oldest')).toEqual({ names: [], total: 0 });
  });

  test('past the end is empty and has the total, for any page number', async () => {
    const list = newList();
    await fill(list, 5);
    expect(await namesOn(list, 3, 3)).toEqual({ names: [], total: 5 });
    expect(await namesOn(list, Number.MAX_VALUE, 100)).toEqual({ names: [], total: 5 });
  });

  test('costs at most three calls, two if it does not begin among removals, one past the end', async () => {
    const list = newList();
    await fill(list, 40);
    await remove(list, [13]);
    calls.length = 0;
    await namesOn(list, 1, 5);
    expect(calls.splice(0)).toEqual(['GetItem', 'Query']);
    await namesOn(list, 4, 5);
    expect(calls.splice(0)).toEqual(['GetItem', 'Query']);
    await namesOn(list, 6, 5);
    expect(calls.splice(0)).toEqual(['GetItem', 'GetItem', 'Query']);
    await namesOn(list, 99, 5);
    expect(calls.splice(0)).toEqual(['GetItem']);
  });

  test('saves the call for a head that was read with other items', async () => {
    const list = newList();
    await fill(list, 40);
    const [item] = await store.getMany([headKey(list)], consistent);
    calls.length = 0;
    const head = headIn(list, item);
    const { entries, total } = await readPage(
      store,
      list,
      { page: 2, size: 3, head },
      entrySchema,
      undamaged,
    );
    expect(calls).toEqual(['Query']);
    expect(entries.map(({ name }) => name)).toEqual([36, 35, 34]);
    expect(total).toBe(40);
  });

  test('that is not full corrects the total of an outdated head', async () => {
    const list = newList();
    await fill(list, 10);
    const head = await readHead(store, list);
    await remove(list, [0, 1]);
    const page = await readPage(store, list, { page: 2, size: 6, head }, entrySchema, undamaged);
    expect(page).toEqual({ entries: [{ name: 3 }, { name: 2 }], total: 8 });
    await remove(list, [2, 3]);
    expect(await readPage(store, list, { page: 2, size: 6, head }, entrySchema, undamaged)).toEqual({
      entries: [],
      total: 6,
    });
  });
});

describe('an entry', () => {
  test('is visible at once to the one who added it, and keeps its place when it is changed', async () => {
    const list = newList();
    await fill(list, 9);
    const seq = await addEntry(store, list, { entity: 'test', name: 100 });
    await addEntry(store, list, { entity: 'test', name: 101 });
    await store.update(
      entryKey(list, seq),
      { update: 'SET #name = :name', names: { '#name': 'name' }, values: { ':name': 200 } },
      itemSchema,
    );
    expect(await namesOn(list, 1, 3)).toEqual({ names: [101, 200, 8], total: 11 });
  });

  test('is removed once; an unknown entry is not removed', async () => {
    const list = newList();
    await fill(list, 20);
    expect(await removeEntry(store, list, 7)).toBe(true);
    calls.length = 0;
    for (const seq of [7, 20, -1, 1.5, Number.NaN]) expect(await removeEntry(store, list, seq)).toBe(false);
    expect(calls).not.toContain('TransactWriteItems');
    expect((await namesOn(list, 1, 1)).total).toBe(19);
  });

  test('moves to the top in one transaction', async () => {
    const list = newList();
    await fill(list, 10);
    const edit = new ListEdit(list, await store.getMany(editKeys(list, [2]), consistent));
    edit.remove(2);
    edit.append({ entity: 'test', name: 2 });
    await commit(store, [edit]);
    expect(await allNames(list)).toEqual([2, 9, 8, 7, 6, 5, 4, 3, 1, 0]);
  });

  test('costs two calls to add and two to remove', async () => {
    const list = newList();
    await fill(list, 10);
    calls.length = 0;
    await addEntry(store, list, { entity: 'test', name: 10 });
    await removeEntry(store, list, 4);
    expect(calls).toEqual(['BatchGetItem', 'TransactWriteItems', 'BatchGetItem', 'TransactWriteItems']);
  });
});

test('keeps no bitmap of a chunk that was removed completely', async () => {
  const list = newList(4);
  await fill(list, 20);
  await remove(list, [4, 5, 6, 9]);
  expect(
    (await itemsOf(list)).map(({ sk }) => sk).filter((sk) => String(sk).startsWith('REMOVED')),
  ).toHaveLength(2);
  await remove(list, [7]);
  expect((await itemsOf(list)).map(({ sk }) => sk)).toContain('REMOVED#2');
  expect((await itemsOf(list)).map(({ sk }) => sk)).not.toContain('REMOVED#1');
  expect(await removeEntry(store, list, 5)).toBe(false);
  expect(await allNames(list)).toEqual([19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 8, 3, 2, 1, 0]);
});

test.each([0, 1.5, 65_536])('refuses chunks of %p numbers, which it could not count', async (span) => {
  await expect(addEntry(store, { pk: 'LIST#refused', span }, { entity: 'test' })).rejects.toThrow(RangeError);
});

describe('a head within another item', () => {
  const embedded = (): NumberedList => {
    const pk = `OWNER#${lists++}`;
    return { pk, span: 8, head: { key: { pk, sk: 'OWNER' }, attribute: 'orders' } };
  };

  test('changes in one write with that item', async () => {
    const list = embedded();
    await store.put({ ...headKey(list), entity: 'owner', volume: 0 });
    for (const volume of [1, 2, 3]) {
      const edit = new ListEdit(list, await store.getMany(editKeys(list), consistent));
      edit.append({ entity: 'test', name: volume });
      edit.updateHolder({
        update: 'SET volume = volume + :more REMOVE note',
        condition: 'volume < :max OR volume = :max',
        values: { ':more': volume, ':max': 3 },
      });
      await commit(store, [edit]);
    }
    expect(await namesOn(list, 1, 2)).toEqual({ names: [3, 2], total: 3 });
    const owner = await store.get(headKey(list), itemSchema, consistent);
    expect(owner).toMatchObject({ entity: 'owner', volume: 6, orders: { next: 3, gone: 0 } });
    expect(await removeEntry(store, list, 1)).toBe(true);
    expect(await namesOn(list, 2, 1)).toEqual({ names: [1], total: 2 });
  });

  test('does not change if the condition of that item fails', async () => {
    const list = embedded();
    await store.put({ ...headKey(list), entity: 'owner', volume: 9 });
    const edit = new ListEdit(list, await store.getMany(editKeys(list), consistent));
    edit.append({ entity: 'test', name: 1 });
    edit.updateHolder({
      update: 'SET volume = :none',
      condition: 'volume < :max',
      values: { ':none': 0, ':max': 5 },
    });
    await expect(commit(store, [edit])).rejects.toThrow(ListContendedError);
    expect((await namesOn(list, 1, 1)).total).toBe(0);
  });

  test('is not created without it', async () => {
    const list = embedded();
    await expect(addEntry(store, list, { entity: 'test', name: 1 })).rejects.toThrow('does not exist');
    expect(await itemsOf(list)).toEqual([]);
  });
});

describe('a write that belongs to a change', () => {
  const claim = (name: string) => ({
    put: { pk: `CLAIM#${name}`, sk: 'CLAIM' },
    if: { condition: 'attribute_not_exists(pk)' },
  });

  test('is written with it or not at all, and its refusal differs from contention', async () => {
    const list = newList();
    const seq = await addEntry(store, list, { entity: 'test', name: 1 }, () => [claim('a')]);
    const taken = claim('a');
    const refused = addEntry(store, list, { entity: 'test', name: 2 }, () => [claim('b'), taken]);
    await expect(refused).rejects.toThrow(TransactionRefusedError);
    await expect(refused).rejects.toMatchObject({ refused: [taken] });
    await expect(removeEntry(store, list, seq, [claim('a')])).rejects.toThrow(TransactionRefusedError);
    expect(await namesOn(list, 1, 5)).toEqual({ names: [1], total: 1 });
  });

  test('is not written when the entry is gone', async () => {
    const list = newList();
    await fill(list, 3);
    await removeEntry(store, list, 1);
    expect(await removeEntry(store, list, 1, [claim('c')])).toBe(false);
    expect(await store.get({ pk: 'CLAIM#c', sk: 'CLAIM' }, itemSchema)).toBeUndefined();
  });
});

describe('at the same time', () => {
  test('an addition and a removal do not conflict', async () => {
    const list = newList();
    await fill(list, 10);
    const items = await store.getMany(editKeys(list, [3]), consistent);
    const [adding, removing] = [new ListEdit(list, items), new ListEdit(list, items)];
    adding.append({ entity: 'test', name: 10 });
    removing.remove(3);
    await commit(store, [adding]);
    await commit(store, [removing]);
    expect(await allNames(list)).toEqual([10, 9, 8, 7, 6, 5, 4, 2, 1, 0]);
  });

  test('of two additions one is refused, and of two removals too', async () => {
    const list = newList();
    await fill(list, 10);
    const items = await store.getMany(editKeys(list, [3, 4]), consistent);
    const edits = Array.from({ length: 4 }, () => new ListEdit(list, items));
    edits[0]?.append({ entity: 'test', name: 10 });
    edits[1]?.append({ entity: 'test', name: 11 });
    edits[2]?.remove(3);
    edits[3]?.remove(4);
    const outcomes = await Promise.allSettled(edits.map((edit) => commit(store, [edit])));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(ListContendedError);
    }
    expect(await allNames(list)).toHaveLength(10);
  });

  test('one of many removals of an entry wins', async () => {
    const list = newList();
    await fill(list, 20);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => removeEntry(store, list, 5)));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect((await namesOn(list, 1, 5)).total).toBe(19);
  });

  test('a bitmap older than the head is not written back', async () => {
    const list = newList();
    await fill(list, 8);
    const [, bitmap] = await store.getMany(editKeys(list, [1]), consistent);
    await remove(list, [1]);
    const [head] = await store.getMany(editKeys(list), consistent);
    expect(() => new ListEdit(list, [head, bitmap]).remove(2)).toThrow(ListContendedError);
  });

  test('additions and removals at the same time leave total, order and pages exact', async () => {
    const list = newList(16);
    // Conflicts grow with the square of the number.
    const count = soakable(40, 100);
    await fill(list, count - 1);
    await addEntry(store, list, { entity: 'test', name: count - 1 });
    await addEntry(store, list, { entity: 'test', name: count });
    const each = Array.from({ length: count }, (_, index) => index);
    // On a slow machine some of them give up; they are retried, as the error asks callers to do.
    const insisting = async <T>(change: () => Promise<T>): Promise<T> => {
      try {
        return await change();
      } catch (error) {
        if (!(error instanceof ListContendedError)) throw error;
        return insisting(change);
      }
    };
    const [removals, seqs] = await Promise.all([
      Promise.all(each.map((seq) => insisting(() => removeEntry(store, list, seq)))),
      Promise.all(
        each.map((index) => insisting(() => addEntry(store, list, { entity: 'test', name: 1000 + index }))),
      ),
    ]);
    expect(removals.every(Boolean)).toBe(true);
    expect(seqs.toSorted((a, b) => a - b)).toEqual(each.map((index) => count + 1 + index));
    const names = [
      ...each.toSorted((a, b) => (seqs[b] ?? 0) - (seqs[a] ?? 0)).map((index) => 1000 + index),
      count,
    ];
    expect(await allNames(list)).toEqual(names);
    expect(await namesOn(list, 2, 7)).toEqual({ names: names.slice(7, 14), total: count + 1 });
    expect(await namesOn(list, 3, 7, 'oldest')).toEqual({
      names: names.toReversed().slice(14, 21),
      total: count + 1,
    });
    expect(totalOf(await readHead(store, list))).toBe(count + 1);
  });

  test('gives up after a bounded number of rounds', async () => {
    const pauses: number[] = [];
    const contended = retryOnListConflict(
      async () => {
        throw new ListContendedError();
      },
      async (ms) => pauses.push(ms),
    );
    await expect(contended).rejects.toThrow(ListContendedError);
    expect(pauses).toHaveLength(23);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1000);
  });

  test('a conflict that DynamoDB reports counts as contention', async () => {
    const collision = new TransactionCanceledException({
      message: 'Transaction cancelled',
      $metadata: {},
      CancellationReasons: [{ Code: 'TransactionConflict' }],
    });
    const colliding = openEngineClient(engine.endpoint);
    colliding.middlewareStack.add(
      () => async () => {
        throw collision;
      },
      { step: 'initialize' },
    );
    const edit = new ListEdit(newList(), []);
    edit.append({ entity: 'test', name: 1 });
    await expect(commit(new Store(colliding, engine.table), [edit])).rejects.toThrow(ListContendedError);
    colliding.destroy();
  });
});
