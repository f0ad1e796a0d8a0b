import { unpackLedger } from '../../shared/data/books/packed-ledger.ts';
import { summaryOf } from '../../shared/data/books/summary.ts';
import { asDeployment, type TradingDeployment } from '../../shared/data/deployments/deployments.ts';
import { createProtection, type Protection } from '../../shared/data/execution/protections.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { isFinalDeploymentStatus } from '../../shared/domain/deployments/deployment-states.ts';
import { sourceOfAdapter } from '../../shared/domain/deployments/event-source.ts';
import { listedWrite } from '../../shared/lifecycle/trading-change.ts';
import type { TestHub } from './hub.ts';
import { reportOrder } from './trading.ts';

export const ENTRY = 'SPY:1:e0';

/** Returns the exits of ten shares with a stop at 95 and a target at 110, which rest at the broker. */
export const restingExits = (at: number): Protection['exits'] => [
  {
    id: 'hubx-1',
    kind: 'oco',
    time_in_force: 'gtc',
    quantity: '10',
    stop: '95',
    target: '110',
    state: 'open',
    legs: {
      stop: { broker_order_id: 'b-1', status: 'open', filled: '0', average_price: null, price: '95', at },
      target: { broker_order_id: 'b-2', status: 'open', filled: '0', average_price: null, price: '110', at },
    },
  },
];

/** Stores the protection of a trade of a deployment, by default one whose exits rest at the broker. */
export const protectTrade = async (
  hub: TestHub,
  {
    deployment_id,
    user_id,
    account_id = 'A-1',
  }: Pick<TradingDeployment, 'deployment_id' | 'user_id' | 'account_id'>,
  more: Partial<Protection> = {},
): Promise<void> => {
  const now = hub.runtime.clock();
  await createProtection(
    hub.runtime.store,
    {
      deployment_id,
      entry: ENTRY,
      user_id,
      adapter: 'alpaca',
      account_id,
      symbol: 'SPY',
      broker_symbol: 'SPY',
      asset_class: 'equity',
      side: 'long',
      terms: { stop: { price: '95' }, target: { price: '110' } },
      moved: {},
      entered: '10',
      entry_price: '100',
      is_entry_over: true,
      closes: {},
      lifted_for: [],
      exited_before: '0',
      round: 1,
      next_exit: 2,
      exits: restingExits(now.getTime()),
      sums: {},
      reports: {},
      state: 'standing',
      reported: [],
      compared_at: now.getTime(),
      created_at: now.getTime(),
      rev: 0,
      due_at: now.getTime() + 60_000,
      ...more,
    },
    now,
  );
};

const stored = async ({ runtime }: TestHub, id: number): Promise<TradingDeployment> => {
  const items = await runtime.store.getMany([keys.deployment(id)], { consistent: true });
  const deployment = asDeployment(items[0]);
  if (deployment?.kind !== 'live') throw new Error('not a trading deployment');
  return deployment;
};

/** Lists a deployment as it is stored. */
const list = async (hub: TestHub, deployment: TradingDeployment): Promise<void> => {
  const summary = summaryOf(deployment, unpackLedger(deployment.ledger));
  await hub.runtime.store.transact([listedWrite(deployment.user_id, summary)]);
};

/** Fills ten shares of an order of a deployment. Reports of an engine outside need no request before. */
export const fillOutside = async (
  hub: TestHub,
  id: number,
  order: { readonly client_order_id: string; readonly side: 'buy' | 'sell'; readonly symbol?: string },
): Promise<void> => {
  const engine = (name: 'hub' | 'external') =>
    hub.runtime.store.transact([{ key: keys.deployment(id), set: { engine: name } }]);
  await engine('external');
  await reportOrder(hub, id, { symbol: 'SPY', quantity: 10, filled_quantity: 10, ...order });
  await engine('hub');
  const deployment = await stored(hub, id);
  if (!isFinalDeploymentStatus(deployment.status)) await list(hub, deployment);
};

/** Makes a deployment one with real orders on an account at Alpaca. */
export const withRealOrders = async (hub: TestHub, id: number): Promise<TradingDeployment> => {
  const execution = { adapter: 'alpaca', source: sourceOfAdapter('alpaca'), account: 'A-1' };
  await hub.runtime.store.transact([
    { key: keys.deployment(id), set: { mode: 'live', engine: 'hub', account_id: 'A-1', execution } },
  ]);
  const deployment = await stored(hub, id);
  await list(hub, deployment);
  return deployment;
};
