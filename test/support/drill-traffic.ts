import fc from 'fast-check';
import { keys } from '../../shared/data/table/keys.ts';
import { type BarColumns, barCount, sliceBars } from '../../shared/domain/candles/bars.ts';
import { deliver } from './functions/deliveries.ts';
import { takeEvent } from './functions/execution-events.ts';
import type { Response, TestHub } from './hub.ts';
import { feed, hubDeployed, setupOf } from './hub-deployments.ts';
import { startEngine, type Worker, worker } from './hub-engine.ts';
import { freshEmail, outbox, register } from './people.ts';
import { PlainBooks } from './plain-books.ts';
import { crossRules } from './rules.ts';
import { build, like, list, setState } from './strategies.ts';
import { deployTrading, engineEvent, undeployTrading } from './trading.ts';

const PEOPLE = 2;

const who = fc.nat(PEOPLE - 1);
const index = fc.nat(50);

/** One request, one event of an engine, or one run of the service's own functions. */
export const traffic = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('build' as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('publish' as const), who, index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hide' as const), who, index }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('like' as const), who, index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deploy' as const), who }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('fill' as const),
      who,
      index,
      side: fc.constantFrom('buy' as const, 'sell' as const),
      quantity: fc.integer({ min: 1, max: 3 }),
      price: fc.integer({ min: 9000, max: 11_000 }).map((cents) => cents / 100),
      fee: fc.nat(300).map((cents) => cents / 100),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), who, index }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('signal' as const), who }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('relay' as const), count: fc.integer({ min: 1, max: 8 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('bars' as const), count: fc.integer({ min: 1, max: 4 }) }),
  },
);

export type Step = typeof traffic extends fc.Arbitrary<infer T> ? T : never;

/** A strategy as the plain model knows it. */
interface PlainStrategy {
  readonly strategy_id: number;
  readonly owner: number;
  isListed: boolean;
  readonly likes: Set<number>;
}

interface PlainDeployment {
  readonly id: number;
  readonly owner: number;
  readonly books: PlainBooks;
  hasEnded: boolean;
}

interface Trader {
  readonly email: string;
  readonly user_id: string;
  readonly keygen: string;
  readonly notification: number;
}

/** Event of an engine that the hub has taken. Engines repeat all those that followed the snapshot. */
interface Reported {
  readonly deployment: number;
  readonly event: unknown;
}

const requireOk = ({ status, body }: Response): Response['body'] => {
  if (status !== 200) throw new Error(`the hub answered ${status}: ${JSON.stringify(body)}`);
  return body;
};

/** Traffic of some people, and everything that the hub has acknowledged to them, kept without its code. */
export class DrillTraffic {
  readonly people: Trader[] = [];
  readonly strategies: PlainStrategy[] = [];
  readonly deployments: PlainDeployment[] = [];
  readonly signals: number[] = Array.from({ length: PEOPLE }, () => 0);
  readonly reported: Reported[] = [];
  readonly bars: BarColumns;
  barsFed: number;
  paper = 0;
  readonly #hub: TestHub;
  #engine: Worker;
  #number = 0;

  constructor(hub: TestHub, bars: BarColumns, warm: number) {
    this.#hub = hub;
    this.#engine = worker(hub);
    this.bars = bars;
    this.barsFed = warm;
  }

  /** Registers the people, and starts a paper deployment of the hub's own engine. */
  async begin(): Promise<void> {
    const hub = this.#hub;
    while (this.people.length < PEOPLE) {
      const email = freshEmail();
      const { user_id } = requireOk(await register(hub, { email }));
      await hub.runtime.store.transact([
        { key: keys.user(user_id), set: { email_verified: true, plan: 'unlimited' } },
      ]);
      const { keygen, strategy_id } = requireOk(await build(hub, { user_id, symbol: 'AAPL,BTCUSD' }));
      const owner = this.people.length;
      this.strategies.push({ strategy_id, owner, isListed: false, likes: new Set() });
      const { deployment_id: notification } = requireOk(
        await hub.call('POST /deploy_notification_strategy', {
          query: { keygen },
          form: { channels: 'email' },
        }),
      );
      this.people.push({ email, user_id, keygen, notification });
    }
    await feed(hub, sliceBars(this.bars, 0, this.barsFed), []);
    const [first] = this.people;
    if (!first) throw new Error('nobody is registered');
    const owner = { ...first, user_key: '', strategy_id: 0, strategy_name: '' };
    const rules = crossRules(2, 5, { exits: [{ side: 'long', when: { bars_in_trade: 3 } }] });
    this.paper = await hubDeployed(hub, owner, setupOf(rules));
    await startEngine(this.#engine, this.paper);
  }

  async carryOut(step: Step): Promise<void> {
    this.#hub.advance(1000);
    const number = ++this.#number;
    switch (step.do) {
      case 'bars':
        return this.#feed(step.count);
      case 'relay':
        for (const { delivery_id, attempts } of (await outbox(this.#hub)).slice(0, step.count)) {
          await deliver(this.#hub.runtime, delivery_id, attempts);
        }
        return;
      case 'fill':
        return this.#fill(step, number);
      case 'signal':
        return this.#signal(step.who, number);
      default:
        return this.#request(step);
    }
  }

  async #request(step: Exclude<Step, { do: 'bars' | 'relay' | 'fill' | 'signal' }>): Promise<void> {
    const hub = this.#hub;
    const { user_id, keygen } = this.#person(step.who);
    if (step.do === 'build') {
      const { strategy_id } = requireOk(await build(hub, { user_id }));
      this.strategies.push({ strategy_id, owner: step.who, isListed: false, likes: new Set() });
      return;
    }
    if (step.do === 'deploy') {
      const { deployment_id: id } = requireOk(await deployTrading(hub, keygen));
      this.deployments.push({ id, owner: step.who, books: new PlainBooks(), hasEnded: false });
      return;
    }
    if (step.do === 'end') {
      const one = this.#own(this.deployments, step);
      if (!one || one.hasEnded) return;
      requireOk(await undeployTrading(hub, user_id, one.id));
      one.hasEnded = true;
      return;
    }
    if (step.do === 'like') {
      const listed = this.strategies.filter(({ isListed }) => isListed);
      const one = listed[step.index % Math.max(1, listed.length)];
      if (!one) return;
      requireOk(await like(hub, user_id, one.strategy_id));
      // The like of the author does not count.
      if (one.owner !== step.who) one.likes.add(step.who);
      return;
    }
    const one = this.#own(this.strategies, step);
    if (!one) return;
    requireOk(
      step.do === 'publish'
        ? await list(hub, user_id, one.strategy_id)
        : await setState(hub, user_id, one.strategy_id, 0),
    );
    one.isListed = step.do === 'publish';
  }

  async #fill(step: Extract<Step, { do: 'fill' }>, number: number): Promise<void> {
    const one = this.#own(this.deployments, step);
    if (!one) return;
    const quantity = String(step.quantity);
    const event = engineEvent(this.#hub, 'Order Updated', one.id, {
      client_order_id: `o-${number}`,
      sequence: 1,
      symbol: 'AAPL',
      side: step.side,
      order_type: 'market',
      quantity,
      status: 'filled',
      filled_quantity: quantity,
      average_price: String(step.price),
      fees: String(step.fee),
    });
    await takeEvent(this.#hub.runtime, event);
    this.reported.push({ deployment: one.id, event });
    one.books.fill('AAPL', step.side === 'buy' ? step.quantity : -step.quantity, step.price, step.fee);
  }

  async #signal(of: number, number: number): Promise<void> {
    const { notification } = this.#person(of);
    const event = engineEvent(this.#hub, 'Signal Raised', notification, {
      symbol: 'AAPL',
      side: 'buy',
      price: 100,
      title: `Signal ${number}`,
      body: 'now',
    });
    await takeEvent(this.#hub.runtime, event);
    this.signals[of] = (this.signals[of] ?? 0) + 1;
  }

  async #feed(count: number): Promise<void> {
    const to = Math.min(this.barsFed + count, barCount(this.bars));
    if (to === this.barsFed) return;
    await feed(this.#hub, sliceBars(this.bars, this.barsFed, to), [this.#engine]);
    this.barsFed = to;
  }

  #person(number: number): Trader {
    const person = this.people[number];
    if (!person) throw new Error('an unknown person');
    return person;
  }

  #own<T extends { readonly owner: number }>(
    of: readonly T[],
    { who: owner, index: at }: { readonly who: number; readonly index: number },
  ): T | undefined {
    const own = of.filter((one) => one.owner === owner);
    return own[at % Math.max(1, own.length)];
  }
}
