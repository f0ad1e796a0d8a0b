import * as z from 'zod';
import { decimalText } from '../../domain/money.ts';
import { openEnum } from '../../domain/open-enum.ts';
import { ORDER_STATUSES } from '../../domain/orders/order-states.ts';
import type { StoredOrder } from '../books/orders.ts';
import { keys } from '../table/keys.ts';
import { parseListed } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';

/** State of an order at its broker. Cumulative. */
const fillSchema = z.object({
  /** Version of the deployment at the report: ascends with every input. */
  number: z.int(),
  type: z.literal('fill'),
  symbol: z.string(),
  client_order_id: z.string(),
  status: openEnum(ORDER_STATUSES, 'unknown'),
  filled_quantity: decimalText,
  average_price: decimalText.nullable(),
  fees: decimalText,
});

/** The owner closed the trade of an order by hand. */
const closeSchema = z.object({
  number: z.int(),
  after: z.number(),
  type: z.literal('close'),
  symbol: z.string(),
  order: z.string(),
  price: z.number(),
  client_order_id: z.string(),
});

/** A signal from outside asks for an order. */
const signalSchema = z.object({
  number: z.int(),
  type: z.literal('signal'),
  symbol: z.string(),
  client_order_id: z.string(),
  side: z.union([z.literal(1), z.literal(-1), z.literal(0)]),
  quantity: decimalText.optional(),
  expected: decimalText,
  received_at: z.number(),
  until: z.number(),
  stop: decimalText.optional(),
  target: decimalText.optional(),
});

const inputSchema = z.discriminatedUnion('type', [fillSchema, closeSchema, signalSchema]);

/** Something that happened to an account with real orders. */
export type StoredRealInput = z.output<typeof inputSchema>;

/** Returns the write that hands a signal to the account of its symbol, which reads it when it is served. */
export const signalWrite = (deploymentId: number, signal: z.output<typeof signalSchema>): Write => ({
  put: { ...signal, ...keys.deploymentInput(deploymentId, signal.number), entity: 'engine_input' },
  if: { condition: 'attribute_not_exists(pk)' },
});

/** Returns the write that hands a report of the broker to the account, which reads it when it is served. */
export const fillWrite = (
  number: number,
  { deployment_id, symbol, client_order_id, status, filled_quantity, average_price, fees }: StoredOrder,
): Write => ({
  put: {
    ...keys.deploymentInput(deployment_id, number),
    entity: 'engine_input',
    number,
    type: 'fill',
    symbol,
    client_order_id,
    status,
    filled_quantity,
    average_price,
    fees,
  },
  if: { condition: 'attribute_not_exists(pk)' },
});

/** Reads the inputs of a deployment after a number, oldest first. */
export const findRealInputs = async (
  store: Store,
  deploymentId: number,
  after: number,
): Promise<StoredRealInput[]> => {
  const { pk, sk: from } = keys.deploymentInput(deploymentId, after + 1);
  const { sk: beginning } = keys.deploymentInput(deploymentId, '');
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': `${beginning}~` },
    ConsistentRead: true,
  });
  return parseListed(inputSchema, items);
};
