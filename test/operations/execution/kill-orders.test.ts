import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { compareAccount } from '../../../shared/broker-orders/compare-account.ts';
import { type ExecutionRuntime, findAccess } from '../../../shared/broker-orders/execution-runtime.ts';
import { followOrders } from '../../../shared/broker-orders/follow-orders.ts';
import { findAllOrders } from '../../../shared/data/books/orders.ts';
import { brokerOrderIdOf } from '../../../shared/domain/orders/broker-order-ids.ts';
import { type FakeAlpaca, fakeAlpaca, type Trouble } from '../../support/alpaca.ts';
import { adapterOf, cancelEvent, follow, liveTrader, orderEvent } from '../../support/execution.ts';
import { takeRequest } from '../../support/functions/execution-orders.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { startKms } from '../../support/kms.ts';
import { Life, mortalWork } from '../../support/mortal-work.ts';
import { soakable } from '../../support/soak.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';

const ROUNDS = soakable(2, 80);
const STEPS = 12;
const TROUBLES: readonly Trouble[] = ['lost', 'cut', 'dropped', 'late', 'limited', 'down'];
/** Longer than the stand-in takes to process a late request. */
const LATE_MS = 60;

const environment = { ...process.env };
let alpaca: FakeAlpaca;
let hub: TestHub;
let kms: Awaited<ReturnType<typeof startKms>>;

beforeAll(async () => {
  kms = await startKms();
  const plain = await startHub();
  alpaca = await fakeAlpaca(plain.runtime.clock);
  hub = plain.with(alpaca.environment);
  await furnishWithInstruments(hub);
});
afterAll(async () => {
  process.env = environment;
  await hub.close();
  await kms.close();
  await alpaca.close();
});

/** Returns numbers from 0 to 1 that follow from a seed (mulberry32). */
const randomOf = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const SHOWN: Readonly<Record<string, string>> = { filled: 'filled', canceled: 'cancelled' };

test('a killed adapter doubles no order and loses none, with lost, late and repeated answers', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const random = randomOf(seed);
    const chance = (share: number): boolean => random() < share;
    const pick = <T>(all: readonly T[]): T => {
      const one = all[Math.floor(random() * all.length)];
      if (one === undefined) throw new Error('there is nothing to pick');
      return one;
    };
    const trader = await liveTrader(hub, alpaca);
    const adapter = adapterOf(hub);
    alpaca.orders.length = 0;
    alpaca.price = '100';
    const ids = ['m0', 'm1', 'l0', 'l1'].map((name) => `AAPL:${round}:${name}`);
    const placing = ids.map((id) =>
      orderEvent(hub, trader, id, id.includes(':l') ? { order_type: 'limit', price: '90' } : {}),
    );
    const events: object[] = [...placing, cancelEvent(hub, trader, ids[3] ?? '')];
    alpaca.trouble = () => (chance(0.3) ? pick(TROUBLES) : undefined);

    const process = (): ExecutionRuntime =>
      mortalWork(adapter.work, new Life(1 + Math.floor(random() * 25), chance(0.5)));
    let deaths = 0;
    const survive = async (run: (work: ExecutionRuntime) => Promise<unknown>): Promise<void> => {
      try {
        await run(process());
      } catch {
        deaths += 1;
      }
    };
    for (let step = 0; step < STEPS; step += 1) {
      const event = events[step] ?? pick(events);
      if (step < events.length || chance(0.4)) await survive((work) => takeRequest(work, event));
      else await survive(followOrders);
      hub.advance(Math.floor(random() * 20_000));
      const open = alpaca.orders.find(({ status, type }) => status === 'new' && type === 'limit');
      if (open && chance(0.3)) alpaca.fill(open, '2', '90');
    }

    // The bus delivers an event again until it is taken, and the job runs every minute.
    alpaca.trouble = () => undefined;
    await wait(LATE_MS);
    hub.advance(60_000);
    for (const event of events) await takeRequest(adapter.work, event);
    for (const order of alpaca.orders) {
      if (order.status === 'new' || order.status === 'partially_filled') alpaca.fill(order, '5', '90');
    }
    await follow(hub, adapter, 20 * 60_000);
    const access = await findAccess(adapter.work, { user_id: trader.user_id, account_id: trader.account });
    if (access) await compareAccount(adapter.work, access);

    const told = ids.map((id) => {
      const [last] = adapter.reports
        .filter(({ client_order_id }) => client_order_id === id)
        .sort((a, b) => b.sequence - a.sequence);
      return [id, last?.status, last?.filled_quantity];
    });
    const placed = ids.map((id) => {
      const own = brokerOrderIdOf({ deployment_id: trader.id, client_order_id: id });
      const [order, ...others] = alpaca.orders.filter(({ client_order_id }) => client_order_id === own);
      expect([seed, others]).toEqual([seed, []]);
      return [id, order ? SHOWN[order.status] : 'cancelled', order?.filled_qty ?? '0'];
    });
    expect([seed, deaths, told]).toEqual([seed, deaths, placed]);
    expect([seed, alpaca.orders.length <= ids.length]).toEqual([seed, true]);
    const book = await findAllOrders(hub.runtime.store, trader.id);
    const shown = new Map(book.map((order) => [order.client_order_id, order]));
    expect([seed, ids.map((id) => shown.get(id)?.filled_quantity)]).toEqual([
      seed,
      told.map(([, , filled]) => filled),
    ]);
    // A repeat of a report is the same report.
    const bySequence = Map.groupBy(
      adapter.reports,
      ({ client_order_id, sequence }) => `${client_order_id} ${sequence}`,
    );
    for (const [first, ...repeats] of bySequence.values()) {
      for (const repeat of repeats) expect([seed, repeat]).toEqual([seed, first]);
    }
  }
});
