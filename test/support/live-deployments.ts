import { packLedger, unpackLedger } from '../../shared/data/books/packed-ledger.ts';
import { asDeployment } from '../../shared/data/deployments/deployments.ts';
import { ENGINE_ACCOUNTS_DUE, ENGINE_ENDED } from '../../shared/data/engine/events.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { BarColumns } from '../../shared/domain/candles/bars.ts';
import type { BacktestSetup } from '../../shared/domain/engine/backtest/setup.ts';
import { deliver } from './functions/deliveries.ts';
import { takeEngineEvent } from './functions/engine.ts';
import { takeEvent } from './functions/execution-events.ts';
import { deliverOrder } from './functions/orders.ts';
import type { TestHub } from './hub.ts';
import { feed, hubDeployed } from './hub-deployments.ts';
import type { Worker } from './hub-engine.ts';
import { outbox } from './people.ts';
import type { trader } from './trading.ts';
import { json, startUpstream, type Upstream } from './upstream.ts';

const DAY_MS = 86_400_000;
const SOURCE = 'strategy-hub.test';

/** A request as it arrives on the bus. */
interface Sent {
  /** Id of the order at the broker: those of deployments may be the same. */
  readonly key: string;
  readonly type: string;
  readonly deployment_id: number;
  readonly client_order_id: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly order_type: string;
  readonly quantity: string;
  readonly closes?: string;
  readonly flatten?: boolean;
}

/** Starts a bus that keeps what it gets. Sets the environment of the SDK. */
export const startBus = async (): Promise<Upstream> => {
  const bus = await startUpstream(json({ FailedEntryCount: 0, Entries: [{ EventId: '1' }] }));
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_MAX_ATTEMPTS: '1',
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
  });
  return bus;
};

/** Returns bars as if the one at an index closed now. */
export const barsUpTo = (hub: TestHub, bars: BarColumns, index: number): BarColumns => {
  const shift = hub.runtime.clock().getTime() - DAY_MS - (bars.start[index] ?? 0);
  const days = Math.ceil(shift / DAY_MS) * DAY_MS;
  return { ...bars, start: bars.start.map((start) => start + days) };
};

/** Makes a deployment with real orders that has not started, by default at the broker of the test. */
export const liveDeployed = async (
  hub: TestHub,
  owner: Awaited<ReturnType<typeof trader>>,
  setup: BacktestSetup,
  more: Readonly<Record<string, unknown>> = {
    execution: { adapter: 'test', source: SOURCE, account: 'A-1' },
  },
): Promise<number> => {
  const id = await hubDeployed(hub, owner, setup);
  const { store } = hub.runtime;
  const [item] = await store.getMany([keys.deployment(id)], { consistent: true });
  const deployment = asDeployment(item);
  if (deployment?.kind !== 'live') throw new Error('not a trading deployment');
  const { rollovers: _, ...ledger } = unpackLedger(deployment.ledger);
  await store.transact([
    { key: keys.deployment(id), set: { mode: 'live', ledger: packLedger(ledger), ...more } },
  ]);
  return id;
};

/** Delivers requests of orders to the bus, and due events to the engine, until nothing is left. */
export const settleOutbox = async (hub: TestHub, workers: readonly Worker[]): Promise<void> => {
  for (;;) {
    const due = (await outbox(hub)).filter(
      ({ message }) =>
        message?.kind === 'order_request' ||
        (message?.kind === 'domain_event' &&
          [ENGINE_ACCOUNTS_DUE, ENGINE_ENDED].includes(message.detail_type)),
    );
    if (due.length === 0) return;
    for (const { delivery_id, attempts, message } of due) {
      if (message?.kind === 'order_request') await deliverOrder(hub.runtime, delivery_id, attempts);
      else if (message?.kind === 'domain_event') {
        await deliver(hub.runtime, delivery_id, attempts);
        const event = { 'detail-type': message.detail_type, detail: message.detail };
        await Promise.all(workers.map(({ engine }) => takeEngineEvent(engine, event)));
      }
    }
  }
};

/** A broker behind the bus, with an adapter that reports to the hub. */
export class TestBroker {
  readonly #hub: TestHub;
  readonly #bus: Upstream;
  readonly #workers: readonly Worker[];
  readonly orders = new Map<string, Sent & { filled: number; isOver: boolean }>();
  readonly cancels: string[] = [];
  /** Price of fills. */
  price = 100;
  #sequence = 100;
  #taken = 0;
  #first: number | undefined;

  constructor(hub: TestHub, bus: Upstream, workers: readonly Worker[]) {
    this.#hub = hub;
    this.#bus = bus;
    this.#workers = workers;
    this.#taken = bus.received.length;
  }

  /** Feeds a bar at its close, and lets everything that follows happen, without the broker. */
  async feed(bars: BarColumns): Promise<void> {
    const close = (bars.start.at(-1) ?? 0) + DAY_MS;
    this.#hub.advance(Math.max(0, close - this.#hub.runtime.clock().getTime()));
    this.price = bars.close.at(-1) ?? 0;
    await feed(this.#hub, bars, this.#workers);
    await this.settle();
  }

  /** Delivers requests to the broker, and due events to the engine, until nothing is left. */
  async settle(): Promise<void> {
    await settleOutbox(this.#hub, this.#workers);
    this.receive();
  }

  /** Returns the id of an order at the broker. Those of the first deployment are as it names them. */
  #keyOf({ deployment_id: id, client_order_id }: Pick<Sent, 'deployment_id' | 'client_order_id'>): string {
    this.#first ??= id;
    return id === this.#first ? client_order_id : `${id} ${client_order_id}`;
  }

  /** Takes the requests from the bus. */
  receive(): void {
    for (const { body } of this.#bus.received.slice(this.#taken)) {
      for (const { DetailType: type, Detail } of JSON.parse(body).Entries) {
        const detail = JSON.parse(Detail);
        const key = this.#keyOf(detail);
        if (type === 'Order Cancel Requested') this.cancels.push(key);
        if (type !== 'Order Requested' && type !== 'Position Close Requested') continue;
        if (this.orders.has(key)) throw new Error('an order was requested twice');
        this.orders.set(key, { ...detail, key, type, filled: 0, isOver: false });
      }
    }
    this.#taken = this.#bus.received.length;
  }

  get working(): Sent[] {
    return [...this.orders.values()].filter(({ isOver }) => !isOver);
  }

  /** Reports the state of an order, after a fill of a part of it, and lets everything that follows happen. */
  async report(id: string, status: string, fill = 0): Promise<void> {
    await this.tell(id, status, fill);
    await this.settle();
  }

  /** Reports the state of an order, after a fill of a part of it. */
  async tell(id: string, status: string, fill = 0): Promise<void> {
    const order = this.orders.get(id);
    if (!order) throw new Error('the broker does not know the order');
    order.filled += fill;
    order.isOver ||= ['filled', 'cancelled', 'rejected', 'expired'].includes(status);
    this.#sequence += 1;
    const { deployment_id, client_order_id, symbol, side, order_type, quantity, filled } = order;
    await takeEvent(this.#hub.runtime, {
      'detail-type': 'Order Updated',
      source: SOURCE,
      detail: {
        version: 1,
        deployment_id,
        occurred_at: this.#hub.runtime.clock().toISOString(),
        client_order_id,
        sequence: this.#sequence,
        symbol,
        side,
        order_type,
        quantity,
        status,
        filled_quantity: String(filled),
        ...(filled > 0 && { average_price: String(this.price) }),
        fees: '0',
      },
    });
  }

  /** Fills all working orders whole, and those that follow, and confirms cancels. */
  async fillAll(): Promise<void> {
    for (;;) {
      const [order] = this.working;
      if (!order) return;
      const { key: id, quantity } = order;
      if (this.cancels.includes(id)) await this.report(id, 'cancelled');
      else await this.report(id, 'filled', Number(quantity) - (this.orders.get(id)?.filled ?? 0));
    }
  }

  /** Returns what the broker holds. */
  get position(): number {
    return [...this.orders.values()].reduce(
      (sum, { side, filled }) => sum + (side === 'buy' ? filled : -filled),
      0,
    );
  }
}
