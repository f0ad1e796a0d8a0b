import { inputsIn, type Recorded } from '../../../shared/data/engine/inputs.ts';
import { usedBarsIn } from '../../../shared/data/engine/used-bars.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import type { BarColumns } from '../../../shared/domain/candles/bars.ts';

/** Items of a deployment, and its recorded inputs and commands. */
interface DeploymentItems {
  readonly items: { readonly deployment: Item | undefined; readonly setup: Item | undefined };
  readonly recorded: Recorded;
  /** Returns the smaller bars that decided about fills of a symbol. */
  readonly usedOf: (symbol: string) => ReadonlyMap<number, BarColumns>;
}

/** Reads a deployment with its setup and its inputs, in one Query. */
export const readDeployment = async (store: Store, id: number): Promise<DeploymentItems> => {
  const own = keys.deployment(id);
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': own.pk },
    ConsistentRead: true,
  });
  return {
    items: { deployment: itemWith(items, own), setup: itemWith(items, keys.deploymentSetup(id)) },
    recorded: inputsIn(items, id),
    usedOf: (symbol) => usedBarsIn(items, symbol),
  };
};
