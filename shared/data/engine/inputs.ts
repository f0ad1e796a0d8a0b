import * as z from 'zod';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { parseListed } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';

/** Decision of the owner that changes an account of the hub: closes the trade that an order opened. */
export const inputSchema = z.object({
  /** Ascends with every input of a deployment. */
  number: z.int(),
  /** Start of the bar after which the input takes effect. */
  after: z.number(),
  type: z.literal('close'),
  /** Order that opened the trade. */
  order: z.string(),
  price: z.number(),
  /** Id of the closing order. */
  client_order_id: z.string(),
});

/** Input of an account as stored. */
export type StoredInput = z.output<typeof inputSchema>;

const historySchema = inputSchema.extend({ symbol: z.string() });

/** Input of an account, with its symbol. */
export type RecordedInput = z.output<typeof historySchema>;

/** Returns the write that records an input in the history of its deployment, for later backtests. */
export const inputWrite = (deploymentId: number, input: RecordedInput): Write => ({
  put: { ...input, ...keys.deploymentInput(deploymentId, input.number), entity: 'engine_input' },
  if: { condition: 'attribute_not_exists(pk)' },
});

/**
 * Returns the write that hands an input to an account with a trade, before its next bar. Its condition fails if the
 * account has none. A worker that advances the account at this moment reads it again.
 */
export const inputToAccountWrite = (
  deploymentId: number,
  programId: string,
  { symbol: _, ...input }: RecordedInput,
): Write => ({
  key: keys.subscriber(programId, 'A', deploymentId),
  update: 'SET inputs = list_append(if_not_exists(inputs, :none), :inputs), rev = rev + :one',
  condition: 'attribute_exists(pk)',
  values: { ':none': [], ':inputs': [input], ':one': 1 },
});

/** Returns the write that records when an input took effect. */
export const movedInputWrite = (deploymentId: number, { number, after }: StoredInput): Write => ({
  key: keys.deploymentInput(deploymentId, number),
  set: { after },
});

/** Returns the inputs among the items of a deployment, oldest first. */
export const inputsIn = (items: readonly Item[], deploymentId: number): RecordedInput[] => {
  const { sk: beginning } = keys.deploymentInput(deploymentId, '');
  return parseListed(
    historySchema,
    items.filter(({ sk }) => typeof sk === 'string' && sk.startsWith(beginning)),
  );
};

/** Reads the inputs of a deployment, oldest first. */
export const findInputs = async (store: Store, deploymentId: number): Promise<RecordedInput[]> => {
  const { pk, sk } = keys.deploymentInput(deploymentId, '');
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
    ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
    ConsistentRead: true,
  });
  return parseListed(historySchema, items);
};
