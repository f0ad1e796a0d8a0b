import { deliver } from './functions/deliveries.ts';
import { takeOrKeepEvent } from './functions/execution-events.ts';
import type { Response, TestHub } from './hub.ts';
import { outbox, register } from './people.ts';
import { build } from './strategies.ts';

/** Creates a user with a strategy to deploy. */
export const trader = async (
  hub: TestHub,
  more: { readonly symbol?: string; readonly name?: string } = {},
) => {
  const { user_id, user_key } = (await register(hub, more.name === undefined ? {} : { name: more.name }))
    .body;
  const { body } = await build(hub, { user_id, symbol: more.symbol ?? 'AAPL,MSFT' });
  return {
    user_id,
    user_key,
    keygen: body.keygen as string,
    strategy_id: body.strategy_id as number,
    strategy_name: body.strategy_name as string,
  };
};

/** Deploys a strategy, by default on paper. */
export const deployTrading = (
  hub: TestHub,
  keygen: string,
  form: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  hub.call('POST /deploy_live_strategy', {
    query: { keygen },
    headers,
    form: { mode: 'virtual', starting_capital: '10000', ...form },
  });

/** Returns a user with a deployed strategy. */
export const deployedTrader = async (
  hub: TestHub,
  form: Readonly<Record<string, string>> = {},
  symbol = 'AAPL,MSFT',
) => {
  const owner = await trader(hub, { symbol });
  const { body } = await deployTrading(hub, owner.keygen, form);
  return { ...owner, id: body.deployment_id as number };
};

/** Ends a live deployment. */
export const undeployTrading = (hub: TestHub, user_id: string, deployment_id: number): Promise<Response> =>
  hub.call('POST /undeploy_live_strategy', { query: { user_id, deployment_id: String(deployment_id) } });

/** Returns an event of an engine, by default at the hub's time. */
export const engineEvent = (
  hub: TestHub,
  type: string,
  deployment_id: number,
  detail: Readonly<Record<string, unknown>> = {},
) => ({
  'detail-type': type,
  source: 'engine',
  detail: { version: 1, deployment_id, occurred_at: hub.runtime.clock().toISOString(), ...detail },
});

/** Reports an event to the hub. */
export const report = (
  hub: TestHub,
  type: string,
  deployment_id: number,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> => takeOrKeepEvent(hub.runtime, engineEvent(hub, type, deployment_id, detail));

type OrderDetail = Readonly<Record<string, unknown>> & { readonly client_order_id: string };

/** Returns the detail of a report on an order, by default on one AAPL bought at the market and filled at 100. */
const orderDetail = (detail: OrderDetail) => ({
  sequence: 1,
  symbol: 'AAPL',
  side: 'buy',
  order_type: 'market',
  quantity: '1',
  status: 'filled',
  filled_quantity: detail.quantity ?? '1',
  average_price: '100',
  fees: '0',
  ...detail,
});

/** Reports an order. */
export const reportOrder = (hub: TestHub, deployment_id: number, detail: OrderDetail): Promise<void> =>
  report(hub, 'Order Updated', deployment_id, orderDetail(detail));

/** Writes the entries of events into the lists of users, like the stream's consumer. */
export const enterAll = async (hub: TestHub): Promise<number> => {
  const entries = (await outbox(hub)).filter(({ message }) => message?.kind === 'live_entries');
  for (const { delivery_id, attempts } of entries) await deliver(hub.runtime, delivery_id, attempts);
  return entries.length;
};
