import {
  DynamoDBClient,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import {
  Store,
  TransactionContendedError,
  TransactionRefusedError,
} from '../../../shared/data/table/store.ts';

const META = { $metadata: {}, message: 'refused' };
const conflict = () => new TransactionConflictException(META);
const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({ ...META, CancellationReasons: codes.map((Code) => ({ Code })) });

/** Builds a store whose first writes fail with the given errors; the embedded engine never reports conflicts. */
const storeRefusing = (...refusals: Error[]) => {
  const client = new DynamoDBClient({
    region: 'eu-west-1',
    endpoint: 'http://127.0.0.1:1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  });
  let sent = 0;
  client.middlewareStack.add(
    () => async () => {
      sent++;
      const refusal = refusals.shift();
      if (refusal) throw refusal;
      return { output: { $metadata: {}, Attributes: { n: { N: '1' } } }, response: {} };
    },
    { step: 'initialize', priority: 'low' },
  );
  return { store: new Store(client, 'table'), sent: () => sent };
};

const key = { pk: 'a', sk: 'b' };
const put = { put: { ...key } };

describe('a write that conflicts with a transaction on its item', () => {
  test.each([
    ['a put', (store: Store) => store.put({ ...key })],
    [
      'an update',
      (store: Store) => store.update(key, { update: 'SET n = :n', values: { ':n': 1 } }, z.object({})),
    ],
    ['a delete', (store: Store) => store.delete(key)],
  ])('is retried: %s', async (_kind, write) => {
    const { store, sent } = storeRefusing(conflict(), conflict());
    await write(store);
    expect(sent()).toBe(3);
  });

  test('fails when it keeps conflicting', async () => {
    const { store } = storeRefusing(...Array.from({ length: 20 }, conflict));
    await expect(store.put({ ...key })).rejects.toThrow(TransactionConflictException);
  });
});

describe('a transaction', () => {
  test.each(['TransactionConflict', 'ThrottlingError'])(
    'that is cancelled by a %s is retried',
    async (code) => {
      const { store, sent } = storeRefusing(cancelled('None', code));
      await store.transact([put, put]);
      expect(sent()).toBe(2);
    },
  );

  test('that keeps conflicting fails with TransactionContendedError', async () => {
    const { store } = storeRefusing(...Array.from({ length: 20 }, () => cancelled('TransactionConflict')));
    await expect(store.transact([put])).rejects.toThrow(TransactionContendedError);
  });

  test('whose condition fails reports which one, and is not retried', async () => {
    const { store, sent } = storeRefusing(cancelled('None', 'ConditionalCheckFailed', 'TransactionConflict'));
    const members = [{ ...put }, { ...put }, { ...put }];
    const error = await store.transact(members).catch((thrown: unknown) => thrown);
    if (!(error instanceof TransactionRefusedError)) throw error;
    expect(members.map((member) => error.has(member))).toEqual([false, true, false]);
    expect(sent()).toBe(1);
  });

  test('that is cancelled for another reason fails at once', async () => {
    const { store, sent } = storeRefusing(cancelled('ValidationError'));
    await expect(store.transact([put])).rejects.toThrow(TransactionCanceledException);
    expect(sent()).toBe(1);
  });
});
