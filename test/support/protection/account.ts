import { followOrders } from '../../../shared/broker-orders/follow-orders.ts';
import { findAllOrders } from '../../../shared/data/books/orders.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { findDueOrders, saveOrderInHand } from '../../../shared/data/execution/orders-in-hand.ts';
import { findDueProtections, saveProtection } from '../../../shared/data/execution/protections.ts';
import { brokerOrderIdOf } from '../../../shared/domain/orders/broker-order-ids.ts';
import { commandDeployment } from '../../../shared/lifecycle/deployment-commands.ts';
import { reArmSwitch, throwSwitch } from '../../../shared/lifecycle/throw-switch.ts';
import { type FakeAlpaca, type HeldOrder, NEW_YORK_SESSIONS, type Trouble } from '../alpaca.ts';
import { type Adapter, adapterOf, cancelEvent, closeEvent, liveTrader, orderEvent } from '../execution.ts';
import { takeRequest } from '../functions/execution-orders.ts';
import type { TestHub } from '../hub.ts';
import { Life, mortalWork } from '../mortal-work.ts';
import type { Setting, Step } from './steps.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Longer than the lease of a run, than an order may still appear, and than the pause after trouble. */
const CALM_MS = 6 * MINUTE_MS;
const START = 100;
/** Whatever is due at any time. */
const ALL = { before: 8.64e15, limit: 100 };

/** A trade that the history asked for. */
interface Asked {
  readonly entry: string;
  readonly side: 'buy' | 'sell';
  closes: number;
  moves: number;
}

const opposite = (side: 'buy' | 'sell'): 'buy' | 'sell' => (side === 'buy' ? 'sell' : 'buy');

/** A real account whose deployment, broker, owner and processes go through a history. */
export class RealAccount {
  readonly #hub: TestHub;
  readonly #alpaca: FakeAlpaca;
  readonly #setting: Setting;
  readonly adapter: Adapter;
  readonly trader: Awaited<ReturnType<typeof liveTrader>>;
  /** Requests of the hub, which the bus may deliver again. */
  readonly #events: object[] = [];
  #trade: Asked | undefined;
  #trades = 0;
  #price = START;
  #troubles: (Trouble | undefined)[] = [];
  #death: Life | undefined;
  /** Time of the last trouble, death or step by hand. */
  #troubledAt = Number.NEGATIVE_INFINITY;
  #isThrown = false;
  /** Places in the journal from which on no entry may leave. */
  #stoppedFrom: number | undefined;
  isInterfered = false;
  readonly faults: string[] = [];
  readonly story: string[] = [];

  constructor(
    { hub, alpaca }: { readonly hub: TestHub; readonly alpaca: FakeAlpaca },
    setting: Setting,
    trader: Awaited<ReturnType<typeof liveTrader>>,
  ) {
    this.#hub = hub;
    this.#alpaca = alpaca;
    this.#setting = setting;
    this.trader = trader;
    this.adapter = adapterOf(hub);
    alpaca.reset();
    alpaca.market.sessions = NEW_YORK_SESSIONS;
    alpaca.market.checksAvailability = setting.checksAvailability;
    alpaca.trouble = () => this.#nextTrouble();
    alpaca.onChange = () => this.#watch();
    alpaca.setPrice(this.symbol, String(START));
  }

  static async open(
    on: { readonly hub: TestHub; readonly alpaca: FakeAlpaca },
    setting: Setting,
  ): Promise<RealAccount> {
    on.alpaca.reset();
    // Histories begin half an hour after the open.
    const now = on.hub.runtime.clock().getTime();
    on.hub.advance(NEW_YORK_SESSIONS.openAfter(now) + 30 * MINUTE_MS - now);
    return new RealAccount(on, setting, await liveTrader(on.hub, on.alpaca, setting.symbol));
  }

  /** Symbol at the broker. */
  get symbol(): string {
    return this.#setting.symbol === 'BTCUSD' ? 'BTC/USD' : this.#setting.symbol;
  }

  get trade(): Asked | undefined {
    return this.#trade;
  }

  #nextTrouble(): Trouble | undefined {
    const trouble = this.#troubles.shift();
    if (trouble !== undefined) this.#troubledAt = this.#now;
    return trouble;
  }

  get #now(): number {
    return this.#hub.runtime.clock().getTime();
  }

  #fault(text: string): void {
    if (!this.faults.includes(text)) this.faults.push(text);
  }

  /** Checks what must hold at every moment. */
  #watch(): void {
    if (!this.#trade || this.isInterfered) return;
    const sign = this.#trade.side === 'buy' ? 1 : -1;
    const position = sign * this.position;
    const closing = this.closing;
    if (position < 0) this.#fault(`the position turned to ${sign * position}`);
    if (closing > Math.max(0, position)) this.#fault(`orders could close ${closing} of ${position}`);
  }

  get position(): number {
    return this.#alpaca.exposure(this.symbol).position;
  }

  /** Open orders of the hub that would close the trade, those of an OCO once. */
  get exits(): HeldOrder[] {
    const side = this.#trade && opposite(this.#trade.side);
    const open = this.#alpaca.orders.filter(
      (order) =>
        order.side === side &&
        !['filled', 'canceled', 'expired', 'rejected', 'replaced'].includes(order.status),
    );
    // A replacement that is not done trades for the order that it replaces.
    return open.filter(({ status, replaces, group }, place) => {
      if (replaces !== null && status === 'pending_new') return false;
      return !group || open.findIndex((other) => other.group === group) === place;
    });
  }

  get closing(): number {
    return Number(
      this.exits.reduce((sum, { qty, filled_qty }) => sum + Number(qty) - Number(filled_qty), 0).toFixed(9),
    );
  }

  /** Quantity that stops at the broker protect. */
  get protectedQuantity(): number {
    return this.exits
      .filter(
        (order) =>
          order.stop_price !== null || order.group?.exits.some(({ stop_price }) => stop_price !== null),
      )
      .reduce((sum, { qty, filled_qty }) => sum + Number(qty) - Number(filled_qty), 0);
  }

  /** Reads the position of the books. Positive is long. */
  async books(): Promise<number> {
    const [deployment] = await findDeployments(this.#hub.runtime.store, [this.trader.id]);
    if (deployment?.kind !== 'live') throw new Error('there is no deployment');
    const { position } = unpackLedger(deployment.ledger).head.symbols[this.#setting.symbol] ?? {};
    return Number(position?.quantity ?? '0');
  }

  async deployment() {
    const [deployment] = await findDeployments(this.#hub.runtime.store, [this.trader.id]);
    return deployment;
  }

  #orders() {
    return findAllOrders(this.#hub.runtime.store, this.trader.id);
  }

  /** Returns whether nothing of the account was disturbed for some minutes. */
  get isCalm(): boolean {
    const { pendingMs, liquidity } = this.#alpaca.market;
    const isQuick = pendingMs === 0 && liquidity === undefined;
    return isQuick && this.#now - this.#troubledAt > CALM_MS && this.#troubles.length === 0 && !this.#death;
  }

  async #survive(run: (work: Adapter['work']) => Promise<unknown>): Promise<void> {
    const life = this.#death;
    this.#death = undefined;
    if (!life) {
      await run(this.adapter.work);
      return;
    }
    this.#troubledAt = this.#now;
    await run(mortalWork(this.adapter.work, life)).catch((error: unknown) => {
      this.story.push(`died: ${error instanceof Error ? error.message : String(error)}`);
    });
  }

  async #request(event: object): Promise<void> {
    this.#events.push(event);
    await this.#survive((work) => takeRequest(work, event));
  }

  /** Lets the job run once. */
  async run(): Promise<void> {
    await this.#survive((work) => followOrders(work));
  }

  async #enter(step: Extract<Step, { kind: 'enter' }>): Promise<void> {
    const isFree = !this.#alpaca.orders.some(({ status }) => OPEN_WORDS.has(status));
    if (!isFree || this.position !== 0 || (await this.books()) !== 0) return;
    if (this.#trade && !this.#hasEnded(this.#trade.entry)) return;
    if ((await this.#orders()).some(({ status }) => !ENDED.has(status))) return;
    const isCrypto = this.#setting.symbol === 'BTCUSD';
    const side = isCrypto ? 'buy' : step.side;
    const sign = side === 'buy' ? 1 : -1;
    this.#trades += 1;
    const entry = `${this.#setting.symbol}:${this.#trades}:e0`;
    this.#trade = { entry, side, closes: 0, moves: 0 };
    this.isInterfered = false;
    const at = (percent: number): string => (this.#price * (1 + (sign * percent) / 100)).toFixed(2);
    const prices = {
      market: {},
      limit: { price: at(-1) },
      stop: { trigger_price: at(1) },
    }[step.type];
    const type = isCrypto && step.type === 'stop' ? 'limit' : step.type;
    await this.#request(
      orderEvent(this.#hub, this.trader, entry, {
        symbol: this.#setting.symbol,
        side,
        order_type: type,
        quantity: String(step.quantity),
        expected_price: String(this.#price),
        time_in_force: type === 'market' ? 'day' : 'gtc',
        ...(type === step.type ? prices : { price: at(-1) }),
        protection: {
          stop: { factor: String(1 - sign * 0.05), offset: '0' },
          ...(step.hasTarget && { target: { factor: String(1 + sign * 0.08), offset: '0' } }),
        },
      }),
    );
  }

  async #exit({ portion, flatten }: Extract<Step, { kind: 'exit' }>): Promise<void> {
    const held = await this.books();
    if (!this.#trade || held === 0) return;
    // The engine asks for one close at a time.
    const isClosing = (await this.#orders()).some(
      ({ client_order_id: id, status }) => /:x\d+$/.test(id) && !ENDED.has(status),
    );
    if (isClosing || this.#hasUntakenClose()) return;
    const size = Math.abs(held);
    const quantity = portion === 1 || size < 2 ? size : Math.floor(size * portion);
    this.#trade.closes += 1;
    const id = this.#trade.entry.replace(':e0', `:x${this.#trade.closes}`);
    await this.#request(
      closeEvent(this.#hub, this.trader, id, {
        symbol: this.#setting.symbol,
        side: held > 0 ? 'sell' : 'buy',
        quantity: String(quantity),
        closes: this.#trade.entry,
        flatten,
      }),
    );
  }

  /** True once a report says that an order has ended. */
  #hasEnded(id: string): boolean {
    return this.adapter.reports.some((report) => report.client_order_id === id && ENDED.has(report.status));
  }

  /** True while a close was requested of which no report says that it ended. */
  #hasUntakenClose(): boolean {
    const { closes = 0, entry = '' } = this.#trade ?? {};
    return closes > 0 && !this.#hasEnded(entry.replace(':e0', `:x${closes}`));
  }

  async #move({ percent }: Extract<Step, { kind: 'move' }>): Promise<void> {
    if (!this.#trade || (await this.books()) === 0) return;
    const sign = this.#trade.side === 'buy' ? 1 : -1;
    this.#trade.moves += 1;
    const event = cancelEvent(this.#hub, this.trader, this.#trade.entry);
    const { reason: _, ...common } = event.detail;
    await this.#request({
      ...event,
      'detail-type': 'Protection Requested',
      detail: {
        ...common,
        symbol: this.#setting.symbol,
        number: this.#trade.moves,
        stop: (this.#price * (1 - (sign * percent) / 100)).toFixed(2),
      },
    });
  }

  async #command({ action }: Extract<Step, { kind: 'command' }>): Promise<void> {
    const { runtime } = this.#hub;
    const common = { subject: { level: 'user', user_id: this.trader.user_id }, reason: 'test' } as const;
    if (action === 'throw') {
      if (!this.#isThrown) await throwSwitch(runtime, { ...common, actor: { by: 'user' }, flatten: false });
      this.#isThrown = true;
    } else if (action === 're-arm') {
      if (this.#isThrown) await reArmSwitch(runtime, { ...common, actor: { by: 'user' } });
      this.#isThrown = false;
    } else await commandDeployment(runtime, this.trader.id, { action, by: 'user', reason: 'test' });
    const { status } = (await this.deployment()) ?? {};
    const isStopped = this.#isThrown || status !== 'active';
    this.#stoppedFrom = isStopped ? (this.#stoppedFrom ?? this.#alpaca.journal.length) : undefined;
  }

  /** Checks that no entry left while the deployment, or its user, was stopped. */
  checkStopped(): void {
    if (this.#stoppedFrom === undefined || !this.#trade) return;
    const own = new Set(
      Array.from({ length: this.#trades }, (_, place) =>
        brokerOrderIdOf({
          deployment_id: this.trader.id,
          client_order_id: `${this.#setting.symbol}:${place + 1}:e0`,
        }),
      ),
    );
    const left = this.#alpaca.journal.slice(this.#stoppedFrom).some(({ method, body }) => {
      const id =
        typeof body === 'object' && body !== null && 'client_order_id' in body && body.client_order_id;
      return method === 'POST' && typeof id === 'string' && own.has(id);
    });
    if (left) this.#fault('an entry left after a stop');
  }

  #byHand({ act }: Extract<Step, { kind: 'hand' }>): void {
    this.isInterfered = true;
    this.#troubledAt = this.#now;
    const { byHand } = this.#alpaca;
    const held = this.position;
    const [exit] = this.exits;
    const common = { symbol: this.symbol, type: 'market', time_in_force: 'gtc' } as const;
    if (act === 'close') byHand.close(this.symbol);
    else if (act === 'cancel' && exit) byHand.cancel(exit);
    else if (act === 'sell' && held !== 0) {
      for (const each of this.exits) byHand.cancel(each);
      byHand.place({ ...common, side: held > 0 ? 'sell' : 'buy', qty: '1' });
    } else if (act === 'buy' && held !== 0) {
      byHand.place({ ...common, side: held > 0 ? 'buy' : 'sell', qty: '1' });
    } else if (act === 'move') {
      const stop = this.exits.find(({ stop_price }) => stop_price !== null);
      if (stop?.stop_price) byHand.replace(stop, { stop_price: (Number(stop.stop_price) * 0.99).toFixed(2) });
    }
  }

  /** Does a step, and checks what must hold after it. */
  async take(step: Step): Promise<void> {
    this.story.push(JSON.stringify(step));
    const { market } = this.#alpaca;
    switch (step.kind) {
      case 'enter':
        await this.#enter(step);
        break;
      case 'price':
        this.#price = Number((this.#price * (1 + step.percent / 100)).toFixed(2));
        this.#alpaca.setPrice(this.symbol, String(this.#price));
        break;
      case 'pass':
        this.#hub.advance(step.minutes * MINUTE_MS);
        this.#alpaca.settle();
        break;
      case 'run':
        this.#hub.advance(MINUTE_MS);
        await this.run();
        break;
      case 'move':
        await this.#move(step);
        break;
      case 'exit':
        await this.#exit(step);
        break;
      case 'cancel':
        if (this.#trade) await this.#request(cancelEvent(this.#hub, this.trader, this.#trade.entry));
        break;
      case 'command':
        await this.#command(step);
        break;
      case 'hand':
        this.#byHand(step);
        break;
      case 'trouble':
        this.#troubles.push(...step.troubles);
        break;
      case 'death':
        this.#death = new Life(step.calls, step.isAfter);
        break;
      case 'venue':
        market.pendingMs = step.pendingMs;
        market.liquidity = step.liquidity;
        break;
      case 'repeat': {
        const event = this.#events.at(step.place % Math.max(1, this.#events.length));
        if (event) await this.#survive((work) => takeRequest(work, event));
      }
    }
    this.checkStopped();
  }

  /** Returns what is not as it must be after a run that nothing disturbed. */
  async unprotected(): Promise<string[]> {
    const position = Math.abs(this.position);
    const books = Math.abs(await this.books());
    const wanted = Math.min(position, this.isInterfered ? books : position);
    const found: string[] = [];
    if (!this.isInterfered && books !== position)
      found.push(`the books hold ${books}, the account ${position}`);
    const isClosed = this.exits.some(({ type }) => type === 'market');
    // The broker takes no exit against an open order of the owner, who is told; each minute tries again.
    const isBarred = this.#alpaca.orders.some(
      ({ client_order_id: id, side, status }) =>
        OPEN_WORDS.has(status) && side === this.#trade?.side && !/^hubx?-/.test(id),
    );
    if (!isBarred && this.closing !== wanted) found.push(`orders close ${this.closing} of ${wanted}`);
    if (!isBarred && wanted > 0 && !isClosed && this.protectedQuantity !== wanted) {
      found.push(`stops protect ${this.protectedQuantity} of ${wanted}`);
    }
    const deployment = await this.deployment();
    const isKnown = deployment?.kind === 'live' && deployment.stop_reason === 'position_missing';
    if (books > position && !isKnown)
      found.push(`the books hold ${books}, and nobody knows that ${position} is left`);
    return found;
  }

  /** Lets the jobs forget the account, so that the next history has the broker alone. */
  async close(): Promise<void> {
    const { store, clock } = this.#hub.runtime;
    for (const order of await findDueOrders(store, 'alpaca', ALL)) {
      await saveOrderInHand(store, { ...order, due_at: undefined });
    }
    for (const protection of await findDueProtections(store, 'alpaca', ALL)) {
      await saveProtection(store, { ...protection, due_at: undefined }, clock());
    }
  }

  /** Ends all trouble, delivers all requests again, and lets the jobs run until nothing changes any more. */
  async settle(): Promise<void> {
    this.#troubles = [];
    this.#death = undefined;
    this.#alpaca.market.pendingMs = 0;
    this.#alpaca.market.liquidity = undefined;
    for (const event of this.#events) await takeRequest(this.adapter.work, event);
    for (let minute = 0; minute < 12; minute += 1) {
      this.#hub.advance(MINUTE_MS);
      this.#alpaca.settle();
      await this.run();
    }
    this.checkStopped();
  }
}

const ENDED = new Set(['filled', 'cancelled', 'rejected', 'expired']);
const OPEN_WORDS = new Set([
  'new',
  'accepted',
  'held',
  'partially_filled',
  'pending_new',
  'pending_cancel',
  'pending_replace',
]);
