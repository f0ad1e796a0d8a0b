import { followOrders } from '../../../shared/broker-orders/follow-orders.ts';
import { findAllOrders } from '../../../shared/data/books/orders.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import type { SeriesFacts } from '../../../shared/data/candles/series.ts';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { type BarColumns, columnsOf, sliceBars } from '../../../shared/domain/candles/bars.ts';
import { HUB_SOURCE, sourceOfAdapter } from '../../../shared/domain/deployments/event-source.ts';
import type { FakeAlpaca } from '../alpaca.ts';
import { type Adapter, adapterOf, connectAccount } from '../execution.ts';
import { takeRequest } from '../functions/execution-orders.ts';
import type { TestHub } from '../hub.ts';
import { BITCOIN, feed, setupOf } from '../hub-deployments.ts';
import { startEngine, type Worker, worker } from '../hub-engine.ts';
import { barsUpTo, liveDeployed, settleOutbox } from '../live-deployments.ts';
import { bearer, login, signUp } from '../people.ts';
import { build } from '../strategies.ts';
import { undeployTrading } from '../trading.ts';
import type { Upstream } from '../upstream.ts';

const DAY_MS = 86_400_000;
const PRICE = 100;
const WARM = 40;
const LENGTH = 80;
/** Requests that the adapter takes. */
const REQUESTED = /^(Order|Order Cancel|Position Close|Protection) Requested$/;

const flat = (): BarColumns =>
  columnsOf(
    Array.from({ length: LENGTH }, (_, day) => ({
      start: day * DAY_MS,
      open: PRICE,
      high: PRICE + 0.5,
      low: PRICE - 0.5,
      close: PRICE,
      volume: 1_000,
    })),
  );

interface Running {
  readonly hub: TestHub;
  readonly alpaca: FakeAlpaca;
  /** Bus that keeps what it gets. */
  readonly bus: Upstream;
}

/** A deployment that the hub's engine runs on an account at Alpaca. Its bars are at 100, one a day. */
export class EngineAccount {
  readonly #on: Running;
  readonly #facts: SeriesFacts;
  readonly #workers: readonly Worker[];
  readonly adapter: Adapter;
  readonly id: number;
  readonly user_id: string;
  readonly #email: string;
  #bars: BarColumns;
  #next = WARM;
  #taken: number;

  private constructor(
    on: Running,
    facts: SeriesFacts,
    {
      id,
      user_id,
      email,
      bars,
    }: {
      readonly id: number;
      readonly user_id: string;
      readonly email: string;
      readonly bars: BarColumns;
    },
  ) {
    this.#on = on;
    this.#facts = facts;
    this.id = id;
    this.user_id = user_id;
    this.#email = email;
    this.#bars = bars;
    this.#workers = [worker(on.hub)];
    this.adapter = adapterOf(on.hub);
    this.#taken = on.bus.received.length;
  }

  static async open(on: Running, symbol: 'AAPL' | 'BTCUSD', rules: unknown): Promise<EngineAccount> {
    const { hub, alpaca } = on;
    const asset_class = symbol === 'AAPL' ? ('equity' as const) : ('crypto' as const);
    const facts = { ...BITCOIN, symbol, asset_class };
    alpaca.price = String(PRICE);
    const person = (await signUp(hub)).body;
    const account: string = (await connectAccount(hub, alpaca, person)).body.account_id;
    const made = (await build(hub, { user_id: person.user_id, symbol })).body;
    const bars = barsUpTo(hub, flat(), WARM - 1);
    await appendBars(hub.runtime.store, facts, sliceBars(bars, 0, WARM));
    const plain = setupOf(rules, [symbol]);
    const setup = {
      ...plain,
      account: { ...plain.account, fill_at: 'signal_close' as const },
      legs: plain.legs.map((leg) => ({ ...leg, asset_class })),
    };
    const id = await liveDeployed(hub, { ...person, ...made }, setup, {
      account_id: account,
      execution: { adapter: 'alpaca', source: sourceOfAdapter('alpaca'), account },
    });
    const { user_id, email } = person;
    const opened = new EngineAccount(on, facts, { id, user_id, email, bars });
    for (const one of opened.#workers) await startEngine(one, id);
    await opened.settle();
    return opened;
  }

  /** Delivers what is due to the engine, the bus and the adapter, until nothing is left. */
  async settle(): Promise<void> {
    const { hub, bus } = this.#on;
    for (;;) {
      await settleOutbox(hub, this.#workers);
      const sent = bus.received.slice(this.#taken);
      this.#taken = bus.received.length;
      if (sent.length === 0) return;
      for (const { body } of sent) {
        for (const { DetailType, Detail } of JSON.parse(body).Entries) {
          if (!REQUESTED.test(DetailType)) continue;
          const event = { source: HUB_SOURCE, 'detail-type': DetailType, detail: JSON.parse(Detail) };
          await takeRequest(this.adapter.work, event);
        }
      }
    }
  }

  /** Closes the next daily bar, and lets everything that follows happen. */
  async bar(more: Partial<Record<'open' | 'high' | 'low' | 'close', number>> = {}): Promise<void> {
    const { hub, alpaca } = this.#on;
    const bars = sliceBars(this.#bars, this.#next, this.#next + 1);
    this.#next += 1;
    for (const [name, price] of Object.entries(more)) {
      if (name === 'open' || name === 'high' || name === 'low' || name === 'close') bars[name][0] = price;
    }
    const end = (bars.start[0] ?? 0) + DAY_MS;
    hub.advance(Math.max(0, end - hub.runtime.clock().getTime()));
    alpaca.setPrice(this.symbol, String(bars.close[0]));
    await feed(hub, bars, this.#workers, this.#facts);
    await this.settle();
  }

  /** Lets the job run a minute later, and everything that follows happen. */
  async run(): Promise<void> {
    this.#on.hub.advance(60_000);
    await followOrders(this.adapter.work);
    await this.settle();
  }

  /** Symbol at the broker. */
  get symbol(): string {
    return this.#facts.symbol === 'BTCUSD' ? 'BTC/USD' : this.#facts.symbol;
  }

  /** Signs the owner in. */
  async session(): Promise<Readonly<Record<string, string>>> {
    return bearer((await login(this.#on.hub, this.#email)).body.access_token);
  }

  async deployment() {
    const [deployment] = await findDeployments(this.#on.hub.runtime.store, [this.id]);
    if (deployment?.kind !== 'live') throw new Error('not a trading deployment');
    return deployment;
  }

  /** Reads the position of the books. */
  async books(): Promise<number> {
    const { head } = unpackLedger((await this.deployment()).ledger);
    return Number(head.symbols[this.#facts.symbol]?.position?.quantity ?? 0);
  }

  /** Reads the order book, oldest first. */
  async orders() {
    return (await findAllOrders(this.#on.hub.runtime.store, this.id)).toReversed();
  }

  async end(): Promise<void> {
    await undeployTrading(this.#on.hub, this.user_id, this.id);
    await this.settle();
  }
}
