import { Store } from '../../../shared/data/table/store.ts';
import { openEngineClient } from '../../support/engine.ts';
import { startHub } from '../../support/hub.ts';
import type { Units } from './units.ts';

const READS: readonly string[] = ['GetItemCommand', 'BatchGetItemCommand', 'QueryCommand'];

/** Creates a hub whose calls and units are counted. */
export const meteredHub = async () => {
  const hub = await startHub();
  const client = openEngineClient(hub.endpoint);
  const spent = { calls: 0, read: 0, write: 0 };
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
      const { output } = result;
      const consumed = 'ConsumedCapacity' in output ? [output.ConsumedCapacity].flat() : [];
      const units = consumed.reduce((sum: number, one: unknown) => {
        const part: unknown = typeof one === 'object' && one && 'CapacityUnits' in one && one.CapacityUnits;
        if (typeof part !== 'number') throw new Error('the engine did not say what a call consumed');
        return sum + part;
      }, 0);
      spent.calls += 1;
      spent[READS.includes(String(context.commandName)) ? 'read' : 'write'] += units;
      return result;
    },
    { step: 'initialize', name: 'units' },
  );
  const take = (): Units => {
    const units = { ...spent };
    Object.assign(spent, { calls: 0, read: 0, write: 0 });
    return units;
  };
  return {
    hub: hub.over(new Store(client, hub.runtime.store.table)),
    take,
    close: async () => {
      client.destroy();
      await hub.close();
    },
  };
};

export type MeteredHub = Awaited<ReturnType<typeof meteredHub>>;
