import * as z from 'zod';
import { signalOrderSchema } from '../../domain/engine/account/signal-order.ts';
import { HOLD_TYPES, type PaperCommand } from '../../domain/engine/running/holds.ts';
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

const holdSchema = z.object({
  /** Ascends with every command of a deployment. */
  number: z.int(),
  type: z.enum(HOLD_TYPES),
  flatten: z.boolean(),
  /** Start of the bar after which the command takes effect, by symbol. */
  afters: z.record(z.string(), z.number()),
});

/** Command to all accounts of a deployment, as stored. */
export type RecordedHold = z.output<typeof holdSchema>;

/** Order of a signal to the account of a symbol. It shares the numbers of the commands. */
const recordedSignalSchema = z.object({
  number: z.int(),
  type: z.literal('order'),
  symbol: z.string(),
  /** Start of the newest closed bar at its arrival. */
  after: z.number(),
  order: signalOrderSchema,
});

/** End of an order of a signal that the books have recorded. */
const withdrawalSchema = z.object({
  number: z.int(),
  type: z.literal('withdraw'),
  symbol: z.string(),
  client_order_id: z.string(),
});

const commandSchema = z.discriminatedUnion('type', [holdSchema, recordedSignalSchema, withdrawalSchema]);

/** Command to the accounts of a deployment, or to the one of a symbol, as stored. */
export type RecordedCommand = z.output<typeof commandSchema>;

/** Returns the write that records a command in the history of its deployment. */
export const commandWrite = (deploymentId: number, hold: RecordedCommand): Write => ({
  put: { ...hold, ...keys.deploymentInput(deploymentId, hold.number), entity: 'engine_input' },
  if: { condition: 'attribute_not_exists(pk)' },
});

/** Returns the commands to a deployment as the account of a symbol takes them. */
export const commandsOf = (commands: readonly RecordedCommand[], symbol: string): PaperCommand[] =>
  commands.map((command) => {
    const { number } = command;
    switch (command.type) {
      case 'order': {
        const isOwn = command.symbol === symbol;
        return {
          number,
          type: 'order',
          after: isOwn ? command.after : 0,
          order: isOwn ? command.order : undefined,
        };
      }
      case 'withdraw':
        return { number, type: 'withdraw', after: 0, client_order_id: command.client_order_id };
      default: {
        const { type, flatten, afters } = command;
        return { number, type, flatten, after: afters[symbol] ?? 0 };
      }
    }
  });

const COMMANDS: ReadonlySet<unknown> = new Set([...HOLD_TYPES, 'order', 'withdraw']);

const isCommand = ({ type }: Item): boolean => COMMANDS.has(type);

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

/** Entry that a risk limit refuses. */
export const refusalSchema = z.object({
  number: z.int(),
  /** Start of the bar at whose close the entry was placed. */
  after: z.number(),
  order: z.string(),
  reason: z.string(),
});

const recordedRefusalSchema = refusalSchema.extend({ type: z.literal('refuse'), symbol: z.string() });

/** Refusal of an entry as stored, with its symbol. */
type RecordedRefusal = z.output<typeof recordedRefusalSchema>;

/** Returns the write that records a refusal in the history of its deployment, for later backtests. */
export const refusalWrite = (
  deploymentId: number,
  symbol: string,
  refusal: z.output<typeof refusalSchema>,
): Write => ({
  put: {
    ...refusal,
    symbol,
    type: 'refuse',
    ...keys.deploymentInput(deploymentId, refusal.number),
    entity: 'engine_input',
  },
  if: { condition: 'attribute_not_exists(pk)' },
});

const isRefusal = ({ type }: Item): boolean => type === 'refuse';

/** Inputs of single accounts and commands to all accounts of a deployment, oldest first. */
export interface Recorded {
  readonly inputs: readonly RecordedInput[];
  readonly commands: readonly RecordedCommand[];
  readonly refusals: readonly RecordedRefusal[];
}

/** Returns the inputs and commands among the items of a deployment. */
export const inputsIn = (items: readonly Item[], deploymentId: number): Recorded => {
  const { sk: beginning } = keys.deploymentInput(deploymentId, '');
  const own = items.filter(({ sk }) => typeof sk === 'string' && sk.startsWith(beginning));
  return {
    // Reports of brokers are no decisions of the owner.
    inputs: parseListed(
      historySchema,
      own.filter(({ type }) => type === 'close'),
    ),
    commands: parseListed(commandSchema, own.filter(isCommand)),
    refusals: parseListed(recordedRefusalSchema, own.filter(isRefusal)),
  };
};

/** Reads the inputs and commands of a deployment whose number is higher than `after`. */
export const findInputs = async (store: Store, deploymentId: number, after = 0): Promise<Recorded> => {
  const { pk, sk } = keys.deploymentInput(deploymentId, after + 1);
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':pk': pk,
      ':from': sk,
      ':to': `${keys.deploymentInput(deploymentId, '').sk}~`,
    },
    ConsistentRead: true,
  });
  return inputsIn(items, deploymentId);
};
