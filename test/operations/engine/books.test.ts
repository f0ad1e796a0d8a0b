import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { findAllOrders } from '../../../shared/data/books/orders.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { asDeployment } from '../../../shared/data/deployments/deployments.ts';
import { asDeploymentSetup } from '../../../shared/data/engine/setups.ts';
import { readSub } from '../../../shared/data/engine/subscriptions.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { barCount, sliceBars } from '../../../shared/domain/candles/bars.ts';
import { restorePaperAccount } from '../../../shared/domain/engine/running/paper-account.ts';
import { MAX_RECENT } from '../../../shared/domain/ledger/ledger-state.ts';
import { openQuantity } from '../../../shared/domain/ledger/manual-close.ts';
import { dayOf } from '../../../shared/domain/periods.ts';
import { closeEquityDays } from '../../../shared/lifecycle/close-equity-days.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { BITCOIN, expectedRun, feed } from '../../support/hub-deployments.ts';
import { endEngine, startEngine, worker } from '../../support/hub-engine.ts';
import { randomBars } from '../../support/random-bars.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, undeployTrading } from '../../support/trading.ts';

const DAY = 86_400_000;
const RANDOM = randomBars(13, 150);
/** Bars of every day. */
const BARS = { ...RANDOM, start: RANDOM.start.map((_, index) => Date.UTC(2020, 0, 1) + index * DAY) };
const WARM = 30;

/** Rules with several trades at once, which end in parts and in any order. */
const BUSY = {
  schema: 'hub.rules/1',
  entries: [
    {
      side: 'long',
      when: { left: { price: 'close' }, op: 'gt', right: { price: 'open' } },
      size: { type: 'cash', cash: 1500 },
      stop_loss: { type: 'percent', percent: 3 },
      trailing_stop: { type: 'percent', percent: 4 },
    },
  ],
  exits: [{ side: 'long', when: { bars_in_trade: 4 }, portion: 0.5 }],
  pyramid: true,
  max_trades: 4,
};

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['BTCUSD']);
});
afterAll(() => hub.close());

beforeEach(async () => {
  await removeSeries(hub.runtime.store, BITCOIN);
  await appendBars(hub.runtime.store, BITCOIN, sliceBars(BARS, 0, WARM));
});

/** Starts a deployment of a strategy with rules. */
const started = async (rules: unknown) => {
  const one = worker(hub);
  const { user_id, keygen } = await ruleTrader(hub, { symbol: 'BTCUSD', rules });
  const id: number = (await deployTrading(hub, keygen)).body.deployment_id;
  await startEngine(one, id);
  const end = async () => {
    await undeployTrading(hub, user_id, id);
    await endEngine(one, id);
  };
  return { id, user_id, one, end };
};

interface Point {
  readonly day: string;
  readonly equity: number;
}

const tradingOf = async (id: number) => {
  const [item] = await hub.runtime.store.getMany([keys.deployment(id)], { consistent: true });
  const deployment = asDeployment(item);
  if (deployment?.kind !== 'live') throw new Error('not a trading deployment');
  return { ledger: unpackLedger(deployment.ledger) };
};

/** Returns the open quantities by order, of the books. */
const openInBooks = async (id: number) => {
  const { ledger } = await tradingOf(id);
  const open = new Map<string, number>();
  for (const order of await findAllOrders(hub.runtime.store, id)) {
    const quantity = Number(openQuantity(ledger, order));
    if (quantity > 0) open.set(order.client_order_id, quantity);
  }
  return open;
};

/** Returns the open quantities by order, of the account. */
const openInAccount = async (id: number) => {
  const [item] = await hub.runtime.store.getMany([keys.deploymentSetup(id)], { consistent: true });
  const [programId = ''] = asDeploymentSetup(item)?.program_ids ?? [];
  const sub = await readSub(hub.runtime.store, programId, id);
  if (!sub || sub.kind === 'N') throw new Error('the deployment has no account');
  const { settings, saved } = sub.paper;
  const { account, entryIds } = restorePaperAccount(settings, saved);
  return new Map(
    account.trades.map((trade) => [
      entryIds.get(trade),
      Number((trade.steps * settings.size_step).toFixed(9)),
    ]),
  );
};

test('exits close the orders in the books that they close in the account', async () => {
  const { id, one, end } = await started(BUSY);
  let most = 0;
  const until = WARM + 28;
  for (let bar = WARM; bar < until; bar++) {
    await feed(hub, sliceBars(BARS, bar, bar + 1), [one]);
    const open = await openInBooks(id);
    expect([bar, open]).toEqual([bar, await openInAccount(id)]);
    most = Math.max(most, open.size);
  }
  expect(most).toBe(4);
  const { ledger } = await tradingOf(id);
  const { trades } = await expectedRun(hub, id, sliceBars(BARS, 0, until));
  expect(trades.length).toBeGreaterThan(12);
  expect(Object.keys(ledger.by_hand ?? {}).length).toBeLessThan(ledger.recent.length);
  await end();
});

test('a fast replay leaves the equity of the backtest on every day', async () => {
  const { id, user_id, one, end } = await started(BUSY);
  const count = barCount(BARS);
  // A part of the bars one by one, the others at once, by a container that knows nothing.
  for (let bar = WARM; bar < 40; bar++) await feed(hub, sliceBars(BARS, bar, bar + 1), [one]);
  await feed(hub, sliceBars(BARS, 40, count), [worker(hub)]);
  // A round goes ten days beyond the last fill.
  for (let round = 0; round < 3; round++) {
    await closeEquityDays(hub.runtime, id, dayOf(hub.runtime.clock().getTime()));
  }
  const query = { user_id, deployment_id: String(id) };
  const { equity_curve } = (await hub.call('GET /get_deployment_performance', { query })).body;
  const shown = new Map(equity_curve.map(({ day, equity }: Point) => [day, equity]));
  const { equity, trades } = await expectedRun(hub, id, BARS);
  // More than the ledger keeps singly.
  expect(trades.length).toBeGreaterThan(MAX_RECENT);
  const expected = equity.map((point) => ({ day: dayOf(point.at), equity: point.equity }));
  expect(expected.length).toBeGreaterThan(100);
  // The day of the newest bar is open.
  for (const point of expected.slice(0, -1)) {
    expect({ ...point, equity: shown.get(point.day) }).toEqual({
      ...point,
      equity: expect.closeTo(point.equity, 2),
    });
  }
  await end();
});
