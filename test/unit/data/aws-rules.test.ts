import {
  BatchWriteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { memberOf, type Update } from '../../../shared/data/table/writes.ts';
import { openStore } from '../../support/open-store.ts';

const { store, client } = await openStore();
const key = { pk: 'P', sk: 'S' };

const refusedUpdates: readonly (readonly [string, Update])[] = [
  ['the partition key', { update: 'SET pk = :a', values: { ':a': 'P' } }],
  [
    'the sort key by a placeholder',
    { update: 'SET a = :a, #sk = :a', names: { '#sk': 'sk' }, values: { ':a': 'S' } },
  ],
  ['the sort key, removed', { update: 'REMOVE a, sk' }],
  [
    'the sort key, after a function with a comma',
    { update: 'SET n = if_not_exists(n, :a), sk = :a', values: { ':a': 'S' } },
  ],
  ['a path twice', { update: 'SET a = :a REMOVE #a', names: { '#a': 'a' }, values: { ':a': 'S' } }],
  ['a path and a path inside it', { update: 'SET m.x = :a, m = :a', values: { ':a': 'S' } }],
  ['nothing', { update: '' }],
];

describe('an update is refused that writes', () => {
  test.each(refusedUpdates)('%s', async (_name, update) => {
    await store.put({ ...key, a: 1, m: { x: 1 } });
    await expect(store.transact([{ key, ...update }])).rejects.toThrow(TypeError);
    await expect(store.update(key, update, z.object({}))).rejects.toThrow(TypeError);
  });

  test('the key or nothing, as attributes to set', async () => {
    await expect(store.transact([{ key, set: { ...key, a: 1 } }])).rejects.toThrow('part of the key');
    await expect(store.transact([{ key, set: {} }])).rejects.toThrow(TypeError);
  });
});

test('an update is refused with the name of a key, also after the same text with another name', async () => {
  const update = { update: 'SET #a = :a, #b = :a', values: { ':a': 'S' } };
  await store.update(key, { ...update, names: { '#a': 'x', '#b': 'y' } }, z.object({}));
  for (const names of [
    { '#a': 'x', '#b': 'sk' },
    { '#a': 'y', '#b': 'y' },
  ]) {
    const refused = store.update(key, { ...update, names }, z.object({}));
    await expect(refused).rejects.toThrow(TypeError);
  }
});

test('an update may read the key, and write paths side by side in one map', async () => {
  const update = 'SET m.x = :a, m.y = if_not_exists(pk, :a) REMOVE m.z, l[0]';
  await store.put({ ...key, m: { z: 1 }, l: [1, 2] });
  await store.transact([{ key, update, values: { ':a': 1 } }]);
  expect(await store.get(key, z.looseObject({}))).toEqual({ ...key, m: { x: 1, y: 'P' }, l: [2] });
});

test('a set that only removes attributes sends no record of values, which AWS refuses if empty', async () => {
  const member = memberOf(store.table, {
    key,
    set: { a: undefined },
    if: { condition: 'attribute_exists(pk)', values: {} },
  });
  expect(member.Update).not.toHaveProperty('ExpressionAttributeValues');
  await store.put({ ...key, a: 1 });
  await store.transact([{ key, set: { a: undefined } }]);
  expect(await store.get(key, z.looseObject({}))).toEqual(key);
});

describe('a query is refused that compares a key with', () => {
  test.each<[string, string, unknown]>([
    ['an empty text', 'begins_with(sk, :sk)', ''],
    ['a number', 'sk > :sk', 1],
  ])('%s', async (_name, condition, value) => {
    const values = { ':pk': 'P', ':sk': value };
    const query = { KeyConditionExpression: `pk = :pk AND ${condition}`, ExpressionAttributeValues: values };
    await expect(store.queryItems(query)).rejects.toThrow('must compare with a text: :sk');
  });

  test('an empty text in an index, whose sort key is a number', async () => {
    const dueBy = (kind: string) =>
      store.queryItems({
        IndexName: 'due',
        KeyConditionExpression: 'due_kind = :kind AND due_at <= :now',
        ExpressionAttributeValues: { ':kind': kind, ':now': 1 },
      });
    expect(await dueBy('K')).toEqual([]);
    await expect(dueBy('')).rejects.toThrow(TypeError);
  });
});

const TableName = store.table;
const Key = { pk: { S: 'P' }, sk: { S: 'S' } };
const text = { ':a': { S: 'x' } };
const put = (attributes: Record<string, { S: string } | { N: string }>) =>
  new PutItemCommand({ TableName, Item: { ...Key, ...attributes } });
const items = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ pk: { S: `P${index}` }, sk: { S: 'S' } }));
const longName = 'n'.repeat(4096);

describe('the embedded database refuses, as AWS does', () => {
  const commands: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['an empty key', () => client.send(put({ sk: { S: '' } }))],
    ['an empty key of an index', () => client.send(put({ due_kind: { S: '' }, due_at: { N: '1' } }))],
    ['an item over 400 KB', () => client.send(put({ a: { S: 'x'.repeat(400 * 1024) } }))],
    ['a number of 39 digits', () => client.send(put({ a: { N: '1'.repeat(39) } }))],
    ['a number that is too small', () => client.send(put({ a: { N: '1e-131' } }))],
    [
      'two operations of a transaction on one item',
      () => {
        const member = { Put: { TableName, Item: Key } };
        return client.send(new TransactWriteItemsCommand({ TransactItems: [member, member] }));
      },
    ],
    [
      'a transaction of 101 items',
      () => {
        const TransactItems = items(101).map((Item) => ({ Put: { TableName, Item } }));
        return client.send(new TransactWriteItemsCommand({ TransactItems }));
      },
    ],
    [
      'a batch of 26 items',
      () => {
        const RequestItems = { [TableName]: items(26).map((Item) => ({ PutRequest: { Item } })) };
        return client.send(new BatchWriteItemCommand({ RequestItems }));
      },
    ],
    ...(
      [
        ['an expression over 4 KB', `SET ${longName} = :a`, {}],
        ['a reserved word', 'SET status = :a', {}],
        ['a value without use', 'REMOVE a', {}],
        ['a name without use', 'SET a = :a', { ExpressionAttributeNames: { '#b': 'b' } }],
        ['a parent that does not exist', 'SET m.x = :a', {}],
      ] as const
    ).map(
      ([name, UpdateExpression, more]) =>
        [
          name,
          () =>
            client.send(
              new UpdateItemCommand({
                TableName,
                Key,
                UpdateExpression,
                ExpressionAttributeValues: text,
                ...more,
              }),
            ),
        ] as const,
    ),
    [
      'a consistent read of an index',
      () =>
        client.send(
          new QueryCommand({
            TableName,
            IndexName: 'due',
            KeyConditionExpression: 'due_kind = :a',
            ExpressionAttributeValues: text,
            ConsistentRead: true,
          }),
        ),
    ],
    [
      'a projection with an attribute twice',
      () => client.send(new GetItemCommand({ TableName, Key, ProjectionExpression: 'pk, pk' })),
    ],
  ];
  test.each(commands)('%s', async (_name, send) => {
    await expect(send()).rejects.toThrow(
      expect.objectContaining({
        name: expect.stringMatching(/^(ValidationException|TransactionCanceledException)$/),
      }),
    );
  });
});
