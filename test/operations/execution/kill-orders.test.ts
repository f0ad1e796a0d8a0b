import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { compareAccount } from '../../../shared/broker-orders/compare-account.ts';
import { type ExecutionRuntime, findAccess } from '../../../shared/broker-orders/execution-runtime.ts';
import { followOrders } from '../../../shared/broker-orders/follow-orders.ts';
import { findAllOrders } from '../../../shared/data/books/orders.ts';
import { brokerOrderIdOf } from '../../../shared/domain/orders/broker-order-ids.ts';
import type { Trouble } from '../../support/alpaca/faults.ts';
import { adapterOf, cancelEvent, follow, liveTrader, orderEvent } from '../../support/execution.ts';
import { takeRequest } from '../../support/functions/execution-orders.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { startKms } from '../../support/kms.ts';
import { Life, mortalWork } from '../../support/mortal-work.ts';
import { SEED } from '../../support/seed.ts';
import { soakable } from '../../support/soak.ts';
import { alpacaStand } from '../../support/stands/alpaca-stand.ts';
import { binanceStand } from '../../support/stands/binance-stand.ts';
import type { BrokerStand } from '../../support/stands/stand.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';

const ROUNDS = soakable(2, 80);
const STEPS = 12;
const TROUBLES: readonly Trouble[] = ['lost', 'cut', 'dropped', 'late', 'limited', 'down'];
/** Longer than the stand-in takes to process a late request. */
const LATE_MS = 60;

const environment = { ...process.env };
let stand: BrokerStand | undefined;
let plain: TestHub;
let kms: Awaited<ReturnType<typeof startKms>>;

beforeAll(async () => {
  kms = await startKms();
  plain = await startHub();
  await furnishWithInstruments(plain);
});
afterEach(() => stand?.close());
afterAll(async () => {
  process.env = environment;
  await plain.close();
  await kms.close();
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

test.each([
  ['Alpaca', alpacaStand],
  ['Binance', binanceStand],
])(
  'a killed adapter for %s doubles no order and loses none, with lost, late and repeated answers',
  async (_name, start) => {
    const broker = await start(plain.runtime.clock);
    stand = broker;
    const hub = plain.with(broker.environment);
    const { symbol } = broker;
    for (let round = 0; round < ROUNDS; round += 1) {
      const seed = SEED * 1000 + round;
      const random = randomOf(seed);
      const chance = (share: number): boolean => random() < share;
      const pick = <T>(all: readonly T[]): T => {
        const one = all[Math.floor(random() * all.length)];
        if (one === undefined) throw new Error('there is nothing to pick');
        return one;
      };
      broker.reset();
      const trader = await liveTrader(hub, broker, symbol);
      const adapter = adapterOf(hub, broker.code);
      // Lookups find an order late.
      broker.setLag(Math.floor(random() * 12_000));
      const ids = ['m0', 'm1', 'l0', 'l1'].map((name) => `e:${round}:${name}`);
      const placing = ids.map((id) =>
        orderEvent(hub, trader, id, {
          symbol,
          ...(id.includes(':l') && { order_type: 'limit', price: '90', time_in_force: 'gtc' }),
        }),
      );
      const events: object[] = [...placing, cancelEvent(hub, trader, ids[3] ?? '', symbol)];
      broker.setTrouble(() => (chance(0.3) ? pick(TROUBLES) : undefined));

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
        const open = broker
          .placed()
          .find(({ isOpen, isLimit, filled }) => isOpen && isLimit && filled === '0');
        if (open && chance(0.3)) broker.fill(open.clientOrderId, '2', '90');
      }

      // The bus delivers an event again until it is taken, and the job runs every minute.
      broker.setTrouble(() => undefined);
      await wait(LATE_MS);
      hub.advance(60_000);
      for (const event of events) await takeRequest(adapter.work, event);
      for (const { clientOrderId, isOpen } of broker.placed()) {
        if (isOpen) broker.fill(clientOrderId, '5', '90');
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
        const [order, ...others] = broker.placed().filter(({ clientOrderId }) => clientOrderId === own);
        expect([seed, others]).toEqual([seed, []]);
        return [id, order ? broker.statuses[order.status] : 'cancelled', order?.filled ?? '0'];
      });
      expect([seed, deaths, told]).toEqual([seed, deaths, placed]);
      expect([seed, broker.placed().length <= ids.length]).toEqual([seed, true]);
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
  },
);
