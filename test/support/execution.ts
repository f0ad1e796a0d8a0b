import { type ExecutionRuntime, executionRuntime } from '../../shared/broker-orders/execution-runtime.ts';
import { followOrders } from '../../shared/broker-orders/follow-orders.ts';
import { alpaca as alpacaAdapter } from '../../shared/channels/execution/alpaca.ts';
import type { ExecutionAdapter } from '../../shared/channels/execution/execution-adapter.ts';
import { findDueOrders } from '../../shared/data/execution/orders-in-hand.ts';
import { keys } from '../../shared/data/table/keys.ts';
import {
  type AdapterName,
  HUB_SOURCE,
  sourceOfAdapter,
} from '../../shared/domain/deployments/event-source.ts';
import { takeEvent } from './functions/execution-events.ts';
import { takeRequest } from './functions/execution-orders.ts';
import type { Response, TestHub } from './hub.ts';
import { bearer, signUp } from './people.ts';
import { build } from './strategies.ts';
import { deployTrading } from './trading.ts';

/** A report of the adapter. */
export interface Reported {
  readonly deployment_id: number;
  readonly client_order_id: string;
  readonly sequence: number;
  readonly status: string;
  readonly filled_quantity: string;
  readonly status_message?: string;
  readonly [field: string]: unknown;
}

/** The execution adapter over a hub, with a clock that goes on while it waits. */
export interface Adapter {
  readonly work: ExecutionRuntime;
  /** Reports on the bus, which the hub has taken. */
  readonly reports: Reported[];
}

/** Returns an adapter whose reports the hub takes at once. */
export const adapterOf = (hub: TestHub, code: ExecutionAdapter = alpacaAdapter): Adapter => {
  const reports: Reported[] = [];
  const remainingMs = () => 60_000;
  const work: ExecutionRuntime = {
    ...executionRuntime(hub.runtime, code, { keyMemory: new Map(), remainingMs }),
    sleep: async (ms) => hub.advance(ms),
    putReport: async (detail) => {
      reports.push(JSON.parse(JSON.stringify(detail)));
      const source = sourceOfAdapter(code.name);
      await takeEvent(hub.runtime, { 'detail-type': 'Order Updated', source, detail });
    },
  };
  return { work, reports };
};

/** A broker on loopback. */
interface StandIn {
  /** Alpaca, if it is left out. */
  readonly adapter?: AdapterName;
  readonly keys: { readonly keyId: string; readonly secret: string };
  /** Currency of deployments; dollars, if it is left out. */
  readonly currency?: string;
}

/** Connects the account of a stand-in. */
export const connectAccount = (
  hub: TestHub,
  { adapter = 'alpaca', keys: { keyId, secret } }: StandIn,
  { user_id, access_token }: { readonly user_id: string; readonly access_token: string },
): Promise<Response> =>
  hub.call('POST /connect_execution', {
    query: { user_id },
    headers: bearer(access_token),
    json: {
      adapter,
      environment: 'paper',
      key_id: keyId,
      secret,
    },
  });

/** Returns a user with a connected account, and an active live deployment on it. */
export const liveTrader = async (hub: TestHub, broker: StandIn, symbol = 'AAPL,MSFT') => {
  const { adapter = 'alpaca', currency = 'USD' } = broker;
  const person: { user_id: string; access_token: string } = (await signUp(hub)).body;
  const account: string = (await connectAccount(hub, broker, person)).body.account_id;
  const { keygen } = (await build(hub, { user_id: person.user_id, symbol })).body;
  const id: number = (await deployTrading(hub, keygen, { currency })).body.deployment_id;
  await hub.runtime.store.transact([
    {
      key: keys.deployment(id),
      set: {
        mode: 'live',
        status: 'active',
        account_id: account,
        execution: { adapter, source: sourceOfAdapter(adapter), account },
      },
    },
  ]);
  return { ...person, id, account, adapter };
};

interface Asked {
  readonly id: number;
  readonly account: string;
  /** Alpaca, if it is left out. */
  readonly adapter?: AdapterName;
}

/** Returns the request of an order, by default five AAPL at the market. */
export const orderEvent = (
  hub: TestHub,
  { id, account, adapter = 'alpaca' }: Asked,
  client_order_id: string,
  more: Readonly<Record<string, unknown>> = {},
) => ({
  source: HUB_SOURCE,
  'detail-type': 'Order Requested',
  detail: {
    version: 1,
    deployment_id: id,
    client_order_id,
    symbol: 'AAPL',
    adapter,
    account,
    occurred_at: hub.runtime.clock().toISOString(),
    side: 'buy',
    order_type: 'market',
    quantity: '5',
    expected_price: '100',
    time_in_force: 'day',
    valid_until: new Date(hub.runtime.clock().getTime() + 10 * 60_000).toISOString(),
    ...more,
  },
});

/** Returns the request to close a position. */
export const closeEvent = (
  hub: TestHub,
  asked: Asked,
  client_order_id: string,
  more: Readonly<Record<string, unknown>> = {},
) => ({
  ...orderEvent(hub, asked, client_order_id, {
    side: 'sell',
    closes: 'entry',
    reason: 'stop',
    flatten: false,
    ...more,
  }),
  'detail-type': 'Position Close Requested',
});

/** Returns the request to cancel an order. */
export const cancelEvent = (
  hub: TestHub,
  { id, account, adapter = 'alpaca' }: Asked,
  client_order_id: string,
  symbol = 'AAPL',
) => ({
  source: HUB_SOURCE,
  'detail-type': 'Order Cancel Requested',
  detail: {
    version: 1,
    deployment_id: id,
    client_order_id,
    symbol,
    adapter,
    account,
    occurred_at: hub.runtime.clock().toISOString(),
    reason: 'no longer wanted',
  },
});

/** Takes an event, and returns the reports that it caused. */
export const take = async ({ work, reports }: Adapter, event: unknown): Promise<Reported[]> => {
  const before = reports.length;
  await takeRequest(work, event);
  return reports.slice(before);
};

/** Follows orders until none is due within a time, and returns the reports that this caused. */
export const follow = async (hub: TestHub, { work, reports }: Adapter, ms = 60_000): Promise<Reported[]> => {
  const before = reports.length;
  const until = work.clock().getTime() + ms;
  for (;;) {
    const [next] = await findDueOrders(work.store, work.adapter.name, { before: until, limit: 1 });
    if (next?.due_at === undefined) return reports.slice(before);
    hub.advance(Math.max(0, next.due_at - work.clock().getTime()));
    await followOrders(work);
  }
};
