import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { openEngineClient } from '../support/engine.ts';
import { median } from './statistics.ts';

const REPEATS = 25;

/** Cost of a kind of request: the maximum use, and the median time. */
export interface Cost {
  readonly calls: number;
  readonly capacity: number;
  readonly ms: number;
}

/** Use of DynamoDB by one request: its calls by name, and request units. */
export interface Used {
  readonly names: readonly string[];
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** Total use so far. */
let used: { name: string; units: number }[] = [];

const isRead = (name: string): boolean => /^(Get|BatchGet|Query)/.test(name);

const sumOf = (units: readonly number[]): number => units.reduce((a, b) => a + b, 0);

/** Runs a function and returns its use of DynamoDB. */
export const usedBy = async <T>(work: () => Promise<T>): Promise<Used & { readonly result: T }> => {
  used = [];
  const result = await work();
  const unitsWhere = (reads: boolean): number =>
    sumOf(used.flatMap(({ name, units }) => (isRead(name) === reads ? [units] : [])));
  return {
    result,
    names: used.map(({ name }) => name),
    readUnits: unitsWhere(true),
    writeUnits: unitsWhere(false),
  };
};

const unitsOf = (output: unknown): number => {
  const consumed: unknown =
    typeof output === 'object' && output && 'ConsumedCapacity' in output && output.ConsumedCapacity;
  return [consumed].flat().reduce((sum: number, part: unknown) => {
    const units: unknown = typeof part === 'object' && part && 'CapacityUnits' in part && part.CapacityUnits;
    if (typeof units !== 'number') throw new Error('the engine did not say what a call consumed');
    return sum + units;
  }, 0);
};

/** Creates a client whose calls and consumed capacity are counted by {@link usedBy}. */
export const meteredClient = (endpoint: string): DynamoDBClient => {
  const client = openEngineClient(endpoint);
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const call = { name: String(commandName).replace(/(Item|Items)?Command$/, ''), units: 0 };
        used.push(call);
        const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
        call.units = unitsOf(result.output);
        return result;
      },
    { step: 'initialize', name: 'meter' },
  );
  return client;
};

/** Makes a request a few times, one after the other. */
export const costOf = async (request: (repeat: number) => Promise<unknown>): Promise<Cost> => {
  const costs: Cost[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const started = performance.now();
    const { names, readUnits, writeUnits } = await usedBy(() => request(repeat));
    costs.push({ calls: names.length, capacity: readUnits + writeUnits, ms: performance.now() - started });
  }
  return {
    calls: Math.max(...costs.map(({ calls }) => calls)),
    capacity: Math.max(...costs.map(({ capacity }) => capacity)),
    ms: Number(median(costs.map(({ ms }) => ms)).toFixed(2)),
  };
};
