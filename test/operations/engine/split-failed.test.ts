import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findAllOrders } from '../../../shared/data/books/orders.ts';
import { asDeploymentSetup } from '../../../shared/data/engine/setups.ts';
import { readSub, storeSub } from '../../../shared/data/engine/subscriptions.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { Store } from '../../../shared/data/table/store.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import { dayOf } from '../../../shared/domain/periods.ts';
import { closeEquityDays } from '../../../shared/lifecycle/close-equity-days.ts';
import { commandDeployment } from '../../../shared/lifecycle/deployment-commands.ts';
import { takeEngineEvent } from '../../support/functions/engine.ts';
import { BITCOIN, hubDeployed, setupOf } from '../../support/hub-deployments.ts';
import { commandEngine, endEngine, startEngine, worker } from '../../support/hub-engine.ts';
import { barsUpTo } from '../../support/live-deployments.ts';
import { openHub } from '../../support/open-hub.ts';
import { randomBars } from '../../support/random-bars.ts';
import { rulesWith } from '../../support/rules.ts';
import { SplitMarket } from '../../support/splits.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { trader, undeployTrading } from '../../support/trading.ts';

const WARM = 30;
const DAY_MS = 86_400_000;
const FOUR = { units: 4, of: 1 };
const UP = { left: { price: 'close' }, op: 'gt', right: { price: 'open' } };
/** Buys two units again and again, so that fills follow each other. */
const RULES = {
  ...rulesWith(UP, { exits: [{ side: 'long', when: { bars_in_trade: 40 } }] }),
  entries: [{ side: 'long', when: UP, size: { type: 'units', units: 2 } }],
  pyramid: true,
  max_trades: 20,
};

const hub = await openHub((own) => furnishWithInstruments(own, ['BTCUSD', 'ETHUSD']));
const { store } = hub.runtime;
let split: SplitMarket;
let other: SplitMarket;
const one = worker(hub);

/** Runs work once, after a key was read. */
class InterruptedStore extends Store {
  readonly #key: Key;
  #work: (() => Promise<void>) | undefined;

  constructor({ client, table }: Store, key: Key, work: () => Promise<void>) {
    super(client, table);
    this.#key = key;
    this.#work = work;
  }

  override async getMany(...given: Parameters<Store['getMany']>): ReturnType<Store['getMany']> {
    const items = await super.getMany(...given);
    if (given[0].length === 1 && given[0][0]?.pk === this.#key.pk && given[0][0]?.sk === this.#key.sk) {
      const work = this.#work;
      this.#work = undefined;
      await work?.();
    }
    return items;
  }
}

let id: number;
let user_id: string;

const shown = async () =>
  (await hub.call('GET /get_all_live_deployments_v2', { query: { user_id } })).body.items[0];

const positionOf = async (symbol = 'BTCUSD') =>
  (await shown()).positions.find((position: { symbol: string }) => position.symbol === symbol);

/** Returns the sales of the split symbol. */
const sales = async () =>
  (await findAllOrders(store, id))
    .filter(({ symbol, side, status }) => symbol === 'BTCUSD' && side === 'sell' && status === 'filled')
    .map(({ updated_at, filled_quantity, average_price }) => ({
      at: updated_at,
      quantity: Number(filled_quantity),
      price: Number(average_price),
    }));

beforeEach(async () => {
  hub.log.length = 0;
  [split, other] = ['BTCUSD', 'ETHUSD'].map(
    (symbol) =>
      new SplitMarket(hub, barsUpTo(hub, randomBars(7, 90), WARM - 1), FOUR, { ...BITCOIN, symbol }),
  ) as [SplitMarket, SplitMarket];
  for (const market of [split, other]) await market.begin(WARM);
  const owner = await trader(hub, { symbol: 'BTCUSD' });
  user_id = owner.user_id;
  id = await hubDeployed(hub, owner, setupOf(RULES, ['BTCUSD', 'ETHUSD']));
  await startEngine(one, id);
  hub.advance(200 * DAY_MS);
  while (!(await positionOf()) || !(await positionOf('ETHUSD'))) {
    for (const market of [split, other]) await market.feed([one]);
  }
});

afterEach(async () => {
  await undeployTrading(hub, user_id, id);
  await endEngine(one, id);
});

/** Lets the account of the split symbol fail at its next bar. */
const fail = async (): Promise<void> => {
  const setup = asDeploymentSetup((await store.getMany([keys.deploymentSetup(id)], { consistent: true }))[0]);
  const sub = await readSub(store, setup?.program_ids[0] ?? '', id);
  if (!sub || sub.kind === 'N') throw new Error('no account');
  await storeSub(store, sub, { ...sub, paper: { ...sub.paper, saved: '{}' } });
  await split.feed([worker(hub)]);
  expect((await shown()).status).toBe('error');
};

const flatten = (): Promise<unknown> =>
  commandDeployment(hub.runtime, id, { action: 'halt', by: 'user', reason: 'Stop.', flatten: true });

/** Returns the last close of the split symbol before its next bar, in new units. */
const lastClose = (): number => split.bars.close[split.next - 1] ?? 0;

test('the close of a failed account before a split is booked before it, though another symbol has later bars', async () => {
  const closing = other.next;
  await split.declare();
  while ((await positionOf('ETHUSD')).quantity < 8) await other.feed([one]);
  expect(other.next).toBeGreaterThan(closing + 1);
  const { quantity } = await positionOf();
  const at = (await split.head()).split?.at ?? 0;
  const setup = asDeploymentSetup((await store.getMany([keys.deploymentSetup(id)], { consistent: true }))[0]);
  const sub = await readSub(store, setup?.program_ids[0] ?? '', id);
  if (!sub || sub.kind === 'N') throw new Error('no account');
  await storeSub(store, sub, { ...sub, error: 'the account has failed' });
  await flatten();
  await commandEngine(one, id);
  expect(await positionOf()).toBeUndefined();
  const sold = await sales();
  expect(sold).toEqual([{ at: at - 1, quantity, price: expect.closeTo(lastClose() * 4, 9) }]);
});

test('the close of a failed account that a split overtakes has the units of the position', async () => {
  await fail();
  const { quantity } = await positionOf();
  await split.declare();
  await flatten();
  const taken = worker(hub);
  const interrupted = new InterruptedStore(store, keys.series('BTCUSD', '1d'), async () => {
    await takeEngineEvent(taken.engine, split.event());
  });
  await commandEngine(worker(hub, { store: interrupted }), id);
  const before = lastClose();
  split.next += 1;
  for (let bars = 0; bars < 2; bars += 1) await split.feed([worker(hub)]);
  await commandEngine(one, id);
  expect(await positionOf()).toBeUndefined();
  const sold = await sales();
  expect(sold.reduce((sum, fill) => sum + fill.quantity, 0)).toBe(quantity * 4);
  for (const { price } of sold) expect(price).toBeLessThan(before * 2);
});

test('the close of an account whose split came too late for its books has the units of its position', async () => {
  await split.declare();
  for (let days = 0; days < 20; days += 1) await other.feed([one]);
  // Each round closes at most ten days more.
  for (let round = 0; round < 12; round += 1) {
    await closeEquityDays(hub.runtime, id, dayOf(hub.runtime.clock().getTime()));
  }
  const before = await positionOf();
  await split.feed([one]);
  expect((await shown()).status).toBe('error');
  expect(hub.log.some(({ message }) => message === 'a split could not be booked')).toBe(true);
  const left = await positionOf();
  expect(left).toMatchObject({ quantity: before.quantity, average_price: before.average_price });
  await flatten();
  await commandEngine(one, id);
  expect(await positionOf()).toBeUndefined();
  const sold = await sales();
  expect(sold).toMatchObject([{ quantity: before.quantity, price: expect.closeTo(lastClose() * 4, 6) }]);
});
