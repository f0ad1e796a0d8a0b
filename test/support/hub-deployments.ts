import * as z from 'zod';
import { findAllOrders } from '../../shared/data/books/orders.ts';
import { appendBars } from '../../shared/data/candles/append-bars.ts';
import type { SeriesFacts } from '../../shared/data/candles/series.ts';
import { programIdsOf } from '../../shared/data/engine/program-ids.ts';
import { asDeploymentSetup, deploymentSetupWrite } from '../../shared/data/engine/setups.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { type BarColumns, sliceBars } from '../../shared/domain/candles/bars.ts';
import { runBacktest } from '../../shared/domain/engine/backtest/backtest.ts';
import type { BacktestResult } from '../../shared/domain/engine/backtest/result.ts';
import {
  type BacktestSetup,
  type BacktestSetupLeg,
  inputOf,
} from '../../shared/domain/engine/backtest/setup.ts';
import { storedRules } from '../../shared/domain/engine/backtest/stored-rules.ts';
import { canonicalRules } from '../../shared/domain/engine/rules/canonical.ts';
import { rulesSchema } from '../../shared/domain/engine/rules/schema.ts';
import type { Timeframe } from '../../shared/domain/strategies/strategies.ts';
import { advanceSeries } from './functions/engine.ts';
import type { TestHub } from './hub.ts';
import type { Worker } from './hub-engine.ts';
import { deployTrading, type trader } from './trading.ts';

/** A series of daily bars without holidays. */
export const BITCOIN: SeriesFacts = {
  symbol: 'BTCUSD',
  timeframe: '1d',
  asset_class: 'crypto',
  calendar: 'always',
  source: 'test',
  adjustment: 'none',
};

const legOf = (symbol: string, share: number): BacktestSetupLeg => ({
  symbol,
  share,
  source: BITCOIN.timeframe,
  calendar: BITCOIN.calendar,
  to: Number.MAX_SAFE_INTEGER,
  asset_class: BITCOIN.asset_class,
  size_step: 1,
  contract_size: 1,
  direction: 'both',
});

/** Returns a setup over daily bars, without costs. */
export const setupOf = (
  rules: unknown,
  symbols: readonly string[] = [BITCOIN.symbol],
  more: Partial<BacktestSetup> = {},
): BacktestSetup => ({
  rules: canonicalRules(rulesSchema.parse(rules)),
  params: {},
  sentence: '',
  timeframe: '1d',
  read_from: 0,
  currency: 'USD',
  account: {
    starting_capital: 10_000,
    commission_rate: 0,
    commission_fixed: 0,
    commission_per_unit: 0,
    commission_min: 0,
    spread_rate: 0,
    slippage_rate: 0,
    margin: 1,
    maintenance: 0,
    financing: 'none',
    fill_at: 'next_open',
    stop_basis: 'fill',
    entry_bar: 'worst',
    close_at_end: 'mark',
  },
  legs: symbols.map((symbol) => legOf(symbol, 1 / symbols.length)),
  ...more,
});

/** Makes a deployment that the hub runs, of an owner's strategy. It has not started. */
export const hubDeployed = async (
  hub: TestHub,
  owner: Awaited<ReturnType<typeof trader>>,
  setup: BacktestSetup,
): Promise<number> => {
  const { body } = await deployTrading(hub, owner.keygen);
  const id: number = body.deployment_id;
  await hub.runtime.store.transact([
    deploymentSetupWrite(id, setup),
    { key: keys.deployment(id), set: { engine: 'hub' } },
  ]);
  return id;
};

/** Sets the status of a deployment, as a command does. */
export const setStatus = (hub: TestHub, id: number, status: string): Promise<unknown> =>
  hub.runtime.store.update(
    keys.deployment(id),
    {
      update: 'SET #status = :status, version = version + :one',
      names: { '#status': 'status' },
      values: { ':status': status, ':one': 1 },
    },
    z.looseObject({}),
  );

/** Copies a deployment that has not started, without its place in lists. */
export const copyDeployment = async (
  { runtime: { store } }: TestHub,
  id: number,
  copy: number,
  setup: BacktestSetup,
): Promise<number> => {
  const [item] = await store.getMany([keys.deployment(id)], { consistent: true });
  const deployment_id = id + copy;
  await store.transact([
    { put: { ...item, ...keys.deployment(deployment_id), deployment_id } },
    deploymentSetupWrite(deployment_id, setup),
  ]);
  return deployment_id;
};

/** Appends bars and lets workers advance the programs of their series. */
export const feed = async (
  hub: TestHub,
  bars: BarColumns,
  workers: readonly Worker[],
  facts: SeriesFacts = BITCOIN,
  timeframes: readonly Timeframe[] = [facts.timeframe],
): Promise<void> => {
  const { series } = await appendBars(hub.runtime.store, facts, bars);
  await Promise.all(workers.map(({ engine }) => advanceSeries(engine, series, timeframes)));
};

/** A fill of an order. */
export interface Fill {
  readonly at: number;
  readonly side: string;
  readonly quantity: number;
  readonly price: number;
}

const inOrder = (fills: readonly Fill[]): Fill[] =>
  fills.toSorted((left, right) => left.at - right.at || (left.side < right.side ? -1 : 1));

/** Rounds to nine decimals. Drops the noise of a double first, which would decide how a tie is rounded. */
const rounded = (value: number): number => Number(Number(value.toPrecision(14)).toFixed(9));

/**
 * Sums the fills of the same moment, side and price. A backtest lists each part of a trade that was closed in parts with
 * an entry of its own.
 */
export const sumFills = (fills: readonly Fill[]): Fill[] => {
  const sums = new Map<string, Fill>();
  for (const fill of fills) {
    const price = Number(Number(fill.price.toPrecision(12)).toFixed(6));
    const key = `${fill.at} ${fill.side} ${price}`;
    const quantity = rounded(fill.quantity + (sums.get(key)?.quantity ?? 0));
    sums.set(key, { ...fill, quantity });
  }
  return [...sums.values()].toSorted(
    (left, right) => left.at - right.at || left.side.localeCompare(right.side) || left.price - right.price,
  );
};

/** Returns the fills of the orders of a deployment. */
export const fillsOf = async (hub: TestHub, id: number): Promise<Fill[]> => {
  const orders = await findAllOrders(hub.runtime.store, id);
  return inOrder(
    orders.flatMap(({ filled_quantity, average_price, side, client_order_id, updated_at }) =>
      filled_quantity === '0'
        ? []
        : [
            {
              at: updated_at,
              side,
              quantity: Number(filled_quantity),
              price: Number(average_price),
              client_order_id,
            },
          ],
    ),
  ).map(({ at, side, quantity, price }) => ({ at, side, quantity, price }));
};

/** Returns the backtest of a deployment's setup over the bars that its programs have seen, by leg. */
export const expectedRun = async (
  hub: TestHub,
  id: number,
  ...bars: readonly BarColumns[]
): Promise<BacktestResult> => {
  const { store } = hub.runtime;
  const [item] = await store.getMany([keys.deploymentSetup(id)], { consistent: true });
  const found = asDeploymentSetup(item);
  const [start] = found?.starts ?? [];
  if (!found || !start) throw new Error('the deployment has not started');
  const seen = bars.map((each) =>
    sliceBars(
      each,
      each.start.findIndex((at) => at >= start.from),
    ),
  );
  return runBacktest(inputOf({ ...found.setup, from: start.joined_at + 1 }, storedRules(found.setup)), seen);
};

/** Returns the fills of a backtest. */
export const fillsOfRun = ({ trades, open_trades }: BacktestResult): Fill[] => {
  const opens = [...trades, ...open_trades].map(({ side, quantity, entry_at, entry_price }) => ({
    at: entry_at,
    side: side === 'long' ? 'buy' : 'sell',
    quantity,
    price: entry_price,
  }));
  const closes = trades.map(({ side, quantity, exit_at, exit_price }) => ({
    at: exit_at,
    side: side === 'long' ? 'sell' : 'buy',
    quantity,
    price: exit_price,
  }));
  return inOrder([...opens, ...closes]);
};

/** Returns the fills of {@link expectedRun}. */
export const expectedFills = async (
  hub: TestHub,
  id: number,
  ...bars: readonly BarColumns[]
): Promise<Fill[]> => fillsOfRun(await expectedRun(hub, id, ...bars));

/** Returns the sort keys of the deployments that the program of a setup works for. */
export const subsOf = async (hub: TestHub, setup: BacktestSetup): Promise<string[]> => {
  const [programId = ''] = programIdsOf(setup, storedRules(setup));
  const items = await hub.runtime.store.queryItems({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': keys.subscriber(programId, 'F', '').pk },
  });
  return items.map((item) => z.object({ sk: z.string() }).parse(item).sk);
};
