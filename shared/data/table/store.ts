import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttributeValue,
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactionCanceledException,
  TransactionConflictException,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type * as z from 'zod';
import { fromAttributes, type Item, toAttributes } from './attributes.ts';
import { checkQuery } from './aws-rules.ts';
import { type BatchMember, writeInBatches } from './batch-write.ts';
import { type ItemSchema, parseItem, parseListed } from './parse-item.ts';
import {
  type Condition,
  conditional,
  type Key,
  memberOf,
  type Update,
  updateOf,
  type Values,
  type Write,
} from './writes.ts';

/** Input of a Query call, with plain JavaScript values for the placeholders. */
type Query = Omit<QueryCommandInput, 'TableName' | 'ExpressionAttributeValues'> & {
  readonly ExpressionAttributeValues: Values;
};

/** Place at which a further call of a Query begins; undefined at its end. */
type QueryPlace = Record<string, AttributeValue> | undefined;

/** The condition of a single write failed. `item` is the stored item, if DynamoDB returned it. */
export class ConditionFailedError extends Error {
  readonly item: Item | undefined;
  constructor(item: Item | undefined) {
    super('the condition of a write failed');
    this.name = 'ConditionFailedError';
    this.item = item;
  }
}

/** A transaction was refused. `refused` holds the members whose conditions failed. */
export class TransactionRefusedError extends Error {
  readonly refused: readonly Write[];
  constructor(refused: readonly Write[]) {
    super('a condition of a transaction failed');
    this.name = 'TransactionRefusedError';
    this.refused = refused;
  }

  /** Tells whether the condition of this member failed. */
  has(write: Write): boolean {
    return this.refused.includes(write);
  }
}

/** A transaction conflicted with others, or was throttled, until its retries ran out. Nothing was written. */
export class TransactionContendedError extends Error {
  constructor(cause: unknown) {
    super('a transaction conflicted with others until its retries ran out', { cause });
    this.name = 'TransactionContendedError';
  }
}

const MAX_CONFLICT_RETRIES = 6;
const MAX_BATCH_KEYS = 100;

/** Cancellation codes after which the same transaction can succeed. */
const TRANSIENT = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Waits a random time, so that conflicting writers do not retry at the same moment. */
const conflictPause = (attempt: number): Promise<void> => sleep(Math.random() * 20 * 2 ** attempt);

/** Sends a single write; retries it if it conflicts with a transaction on the same item. */
const guard = async <T>(send: () => Promise<T>): Promise<T> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) {
        throw new ConditionFailedError(error.Item && fromAttributes(error.Item));
      }
      if (!(error instanceof TransactionConflictException) || attempt === MAX_CONFLICT_RETRIES) throw error;
      await conflictPause(attempt);
    }
  }
};

/**
 * The table, with the operations that repositories use. A failed condition throws {@link ConditionFailedError} or
 * {@link TransactionRefusedError}. A transaction that only conflicts with another one is retried.
 */
export class Store {
  readonly table: string;
  /** The client, for calls that only jobs make. */
  readonly client: DynamoDBClient;

  constructor(client: DynamoDBClient, table: string) {
    this.table = table;
    this.client = client;
  }

  /** Returns the store itself; of a view of a store, the store below. Containers keep shared reads by it. */
  get origin(): Store {
    return this;
  }

  /** Reads one item and parses it; undefined if it does not exist. */
  async get<S extends ItemSchema>(
    key: Key,
    schema: S,
    options: { consistent?: boolean } = {},
  ): Promise<z.output<S> | undefined> {
    const { Item: item } = await this.client.send(
      new GetItemCommand({
        TableName: this.table,
        Key: toAttributes({ ...key }),
        ConsistentRead: options.consistent ?? false,
      }),
    );
    return item && parseItem(schema, fromAttributes(item));
  }

  /** Reads items in the order of `keys`, which may repeat, 100 per call; undefined for each one that does not exist. */
  async getMany(keys: readonly Key[], options: { consistent?: boolean } = {}): Promise<(Item | undefined)[]> {
    if (keys.length > MAX_BATCH_KEYS) {
      const batches = Array.from({ length: Math.ceil(keys.length / MAX_BATCH_KEYS) }, (_, index) =>
        this.getMany(keys.slice(index * MAX_BATCH_KEYS, (index + 1) * MAX_BATCH_KEYS), options),
      );
      return (await Promise.all(batches)).flat();
    }
    const found = new Map<string, Item>();
    // The table refuses a call that names a key twice.
    const distinct = new Map(keys.map((key) => [`${key.pk}\n${key.sk}`, key])).values();
    let pending = [...distinct].map((key) => toAttributes({ ...key }));
    for (let attempt = 0; pending.length > 0; attempt++) {
      if (attempt > 0) await sleep(20 * 2 ** attempt);
      const { Responses, UnprocessedKeys } = await this.client.send(
        new BatchGetItemCommand({
          RequestItems: { [this.table]: { Keys: pending, ConsistentRead: options.consistent ?? false } },
        }),
      );
      for (const attributes of Responses?.[this.table] ?? []) {
        const item = fromAttributes(attributes);
        found.set(`${item.pk}\n${item.sk}`, item);
      }
      pending = UnprocessedKeys?.[this.table]?.Keys ?? [];
      if (attempt === 5 && pending.length > 0) throw new Error('DynamoDB left keys of a batch unprocessed');
    }
    return keys.map(({ pk, sk }) => found.get(`${pk}\n${sk}`));
  }

  /**
   * Reads the items of a Query unparsed, up to its Limit if it has one. One call reads at most 1 MB; larger results
   * take further calls.
   */
  async queryItems(input: Query): Promise<Item[]> {
    const found: Item[] = [];
    let from: QueryPlace;
    do {
      const left = input.Limit === undefined ? undefined : input.Limit - found.length;
      const { items, next } = await this.queryOnce(
        { ...input, ...(left !== undefined && { Limit: left }) },
        from,
      );
      for (const item of items) found.push(item);
      from = next;
    } while (from && (input.Limit === undefined || found.length < input.Limit));
    return found;
  }

  /** Reads the items of one call of a Query unparsed: up to its Limit and 1 MB. `next` is set if some may be left. */
  async queryOnce(
    { ExpressionAttributeValues: values, ...input }: Query,
    from?: QueryPlace,
  ): Promise<{ items: Item[]; next: QueryPlace }> {
    checkQuery(input, values);
    const { Items: items = [], LastEvaluatedKey: next } = await this.client.send(
      new QueryCommand({
        TableName: this.table,
        ...input,
        ExpressionAttributeValues: toAttributes(values),
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    return { items: items.map(fromAttributes), next };
  }

  /** Reads and parses the items of a Query; omits items that only a newer version can read. */
  async query<S extends ItemSchema>(input: Query, schema: S): Promise<z.output<S>[]> {
    return parseListed(schema, await this.queryItems(input));
  }

  /**
   * Writes one item.
   *
   * @throws ConditionFailedError
   */
  async put(item: Item, condition?: Condition): Promise<void> {
    await guard(() =>
      this.client.send(
        new PutItemCommand({
          TableName: this.table,
          Item: toAttributes(item),
          ...conditional(condition),
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
  }

  /**
   * Updates one item and returns the new item, parsed.
   *
   * @throws ConditionFailedError
   */
  async update<S extends ItemSchema>(key: Key, change: Update, schema: S): Promise<z.output<S>> {
    const { Attributes: attributes } = await guard(() =>
      this.client.send(
        new UpdateItemCommand({
          TableName: this.table,
          Key: toAttributes({ ...key }),
          ...updateOf(change),
          ReturnValues: 'ALL_NEW',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
    return parseItem(schema, fromAttributes(attributes ?? {}));
  }

  /**
   * Removes one item; no-op if it does not exist and there is no condition.
   *
   * @throws ConditionFailedError
   */
  async delete(key: Key, condition?: Condition): Promise<void> {
    await guard(() =>
      this.client.send(
        new DeleteItemCommand({
          TableName: this.table,
          Key: toAttributes({ ...key }),
          ...conditional(condition),
        }),
      ),
    );
  }

  /**
   * Writes up to 100 members, all or none.
   *
   * @throws TransactionRefusedError if a condition failed.
   * @throws TransactionContendedError if conflicts or throttling outlast the retries.
   */
  async transact(writes: readonly Write[]): Promise<void> {
    const input: TransactWriteItemsCommandInput = {
      TransactItems: writes.map((write) => memberOf(this.table, write)),
    };
    for (let attempt = 0; ; attempt++) {
      try {
        await this.client.send(new TransactWriteItemsCommand(input));
        return;
      } catch (error) {
        if (!(error instanceof TransactionCanceledException)) throw error;
        const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code);
        const failed = writes.filter((_, index) => codes[index] === 'ConditionalCheckFailed');
        if (failed.length > 0) throw new TransactionRefusedError(failed);
        const transient = codes.some((code) => code !== undefined && TRANSIENT.has(code));
        if (!transient) throw error;
        if (attempt === MAX_CONFLICT_RETRIES) throw new TransactionContendedError(error);
        await conflictPause(attempt);
      }
    }
  }

  /**
   * Writes any number of items in no order, without conditions and not atomically. No key may occur twice.
   * For bulk data only; changes of a request belong in a transaction.
   */
  async batchWrite(members: readonly BatchMember[]): Promise<void> {
    await writeInBatches(this.client, this.table, members);
  }
}
