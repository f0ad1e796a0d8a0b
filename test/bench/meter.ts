import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { engineClient } from '../support/engine.ts';

const REPEATS = 25;

/** What one kind of request costs: the most that it took, and the usual time. */
export interface Cost {
  readonly calls: number;
  readonly capacity: number;
  readonly ms: number;
}

/** What one request has cost so far. */
const meter = { calls: 0, capacity: 0 };

const unitsOf = (output: unknown): number => {
  const consumed: unknown =
    typeof output === 'object' && output && 'ConsumedCapacity' in output && output.ConsumedCapacity;
  return [consumed].flat().reduce((sum: number, part: unknown) => {
    const units: unknown = typeof part === 'object' && part && 'CapacityUnits' in part && part.CapacityUnits;
    if (typeof units !== 'number') throw new Error('the engine did not say what a call consumed');
    return sum + units;
  }, 0);
};

/** A client whose calls and consumed capacity {@link costOf} counts. */
export const meteredClient = (endpoint: string): DynamoDBClient => {
  const client = new DynamoDBClient(engineClient(endpoint));
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
      meter.calls++;
      meter.capacity += unitsOf(result.output);
      return result;
    },
    { step: 'initialize', name: 'meter' },
  );
  return client;
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Makes a request a few times, one after the other. */
export const costOf = async (request: (repeat: number) => Promise<unknown>): Promise<Cost> => {
  const costs: Cost[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    Object.assign(meter, { calls: 0, capacity: 0 });
    const started = performance.now();
    await request(repeat);
    costs.push({ ...meter, ms: performance.now() - started });
  }
  return {
    calls: Math.max(...costs.map(({ calls }) => calls)),
    capacity: Math.max(...costs.map(({ capacity }) => capacity)),
    ms: Number(median(costs.map(({ ms }) => ms)).toFixed(2)),
  };
};
