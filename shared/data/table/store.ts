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
import { type BatchMember, writeInBatches } from './batch-write.ts';
import { type ItemSchema, parseItem, parseListed } from './parse-item.ts';
import { conditional, memberOf, updateOf } from './store-inputs.ts';

/** The primary key of an item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

export type Values = Readonly<Item>;

/** A Query; its values are those of the code. */
type Query = Omit<QueryCommandInput, 'TableName' | 'ExpressionAttributeValues'> & {
  readonly ExpressionAttributeValues: Values;
};

/** A condition with its placeholders, as DynamoDB's expression language has it. */
export interface Condition {
  readonly condition: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Values;
}

/** An update expression with its placeholders and the condition under which it applies. */
export interface Update {
  readonly update: string;
  readonly condition?: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Values;
}

/**
 * One member of a write transaction. A `put` replaces the item: for one that is new, or that was read whole with
 * its schema. A `set` writes the attributes given, takes away those given as undefined, and leaves any other.
 */
export type Write =
  | { readonly key: Key; readonly set: Readonly<Item>; readonly if?: Condition }
  | { readonly put: Item; readonly if?: Condition }
  | ({ readonly key: Key } & Update)
  | { readonly delete: Key; readonly if?: Condition }
  | { readonly check: Key; readonly if: Condition };

/** A conditional write did not apply; `item` is what was there instead, where DynamoDB told. */
export class ConditionFailedError extends Error {
  readonly item: Item | undefined;
  constructor(item: Item | undefined) {
    super('the condition of a write did not hold');
    this.name = 'ConditionFailedError';
    this.item = item;
  }
}

/** A transaction was refused; `failed` are the positions of the members whose conditions did not hold. */
export class TransactionRefusedError extends Error {
  readonly failed: readonly number[];
  constructor(failed: readonly number[]) {
    super('the condition of a transaction did not hold');
    this.name = 'TransactionRefusedError';
    this.failed = failed;
  }
}

/** A transaction kept meeting others on its items, or too much load: nothing was written. */
export class TransactionContended extends Error {
  constructor(cause: unknown) {
    super('a transaction kept meeting others', { cause });
    this.name = 'TransactionContended';
  }
}

const MAX_CONFLICT_RETRIES = 6;
const MAX_BATCH_KEYS = 100;

/** Why a transaction was cancelled that may well succeed the next time. */
const PASSING = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Others are at the same items: they pass the sooner the less all come back at once. */
const conflictPause = (attempt: number): Promise<void> => sleep(Math.random() * 20 * 2 ** attempt);

/** Sends a single write; one that met a transaction on its item is sent again. */
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
 * The table, in the few verbs that the repositories speak. Failed conditions come out as
 * {@link ConditionFailedError} and {@link TransactionRefusedError}; a transaction that merely collided with
 * another one is tried again.
 */
export class Store {
  readonly table: string;
  /** For the calls that only jobs make. */
  readonly client: DynamoDBClient;

  constructor(client: DynamoDBClient, table: string) {
    this.table = table;
    this.client = client;
  }

  /** Reads one item and parses it; undefined where there is none. */
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

  /** Reads items in the order of their keys, a hundred in one call; undefined where there is none. */
  async getMany(keys: readonly Key[], options: { consistent?: boolean } = {}): Promise<(Item | undefined)[]> {
    if (keys.length > MAX_BATCH_KEYS) {
      const batches = Array.from({ length: Math.ceil(keys.length / MAX_BATCH_KEYS) }, (_, index) =>
        this.getMany(keys.slice(index * MAX_BATCH_KEYS, (index + 1) * MAX_BATCH_KEYS), options),
      );
      return (await Promise.all(batches)).flat();
    }
    const found = new Map<string, Item>();
    let pending = keys.map((key) => toAttributes({ ...key }));
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
   * Reads the items of a Query, up to its Limit where it has one, as they are stored. One call reads 1 MB at
   * most: more takes further calls.
   */
  async queryItems({ ExpressionAttributeValues: values, ...input }: Query): Promise<Item[]> {
    const found: Item[] = [];
    let from: Record<string, AttributeValue> | undefined;
    do {
      const left = input.Limit === undefined ? undefined : input.Limit - found.length;
      const { Items: items = [], LastEvaluatedKey: next } = await this.client.send(
        new QueryCommand({
          TableName: this.table,
          ...input,
          ExpressionAttributeValues: toAttributes(values),
          ...(left !== undefined && { Limit: left }),
          ...(from && { ExclusiveStartKey: from }),
        }),
      );
      for (const item of items) found.push(fromAttributes(item));
      from = next;
    } while (from && (input.Limit === undefined || found.length < input.Limit));
    return found;
  }

  /** Reads the items of a Query and parses each; leaves out what only a newer version can read. */
  async query<S extends ItemSchema>(input: Query, schema: S): Promise<z.output<S>[]> {
    return parseListed(schema, await this.queryItems(input));
  }

  /** Writes one item. Throws ConditionFailedError. */
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

  /** Changes one item and answers with what it is now, parsed. Throws ConditionFailedError. */
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

  /** Removes one item. Throws ConditionFailedError. */
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

  /** Writes up to 100 members, all or none. Throws TransactionRefusedError, TransactionContended. */
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
        const failed = codes.flatMap((code, index) => (code === 'ConditionalCheckFailed' ? [index] : []));
        if (failed.length > 0) throw new TransactionRefusedError(failed);
        const passing = codes.some((code) => code !== undefined && PASSING.has(code));
        if (!passing) throw error;
        if (attempt === MAX_CONFLICT_RETRIES) throw new TransactionContended(error);
        await conflictPause(attempt);
      }
    }
  }

  /**
   * Writes any number of items, no key twice: each put or removed for itself, in no order. For bulk data;
   * what a request changes belongs in a transaction.
   */
  async batchWrite(members: readonly BatchMember[]): Promise<void> {
    await writeInBatches(this.client, this.table, members);
  }
}
