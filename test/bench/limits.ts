/**
 * Measures the cost of risk limits that are never reached: reports of an external engine, and bars of the hub's paper
 * accounts, each with limits and without, in turns. Run by `npm run bench:limits [-- --rounds 40]`.
 *
 * The database takes longer for a table or series that was made later, and up to 2 % more or less for one than for
 * another. So reports are measured in several databases, which make the two tables in either order. Bars have two series
 * of each variant: one without limits is made first and one last, and those with limits in between.
 */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { takeEngineEvent } from '../../functions/engine/take-event.ts';
import { readOptions } from '../../infra/commands/read-options.ts';
import { startScratchDynamo } from '../../infra/local/database/dynamo.ts';
import { withoutLog } from '../../infra/local/services/clients.ts';
import { BookMemory } from '../../shared/data/books/book-memory.ts';
import { appendBars } from '../../shared/data/candles/append-bars.ts';
import { type Deployment, findDeployments } from '../../shared/data/deployments/deployments.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { Store } from '../../shared/data/table/store.ts';
import { type Bar, columnsOf } from '../../shared/domain/candles/bars.ts';
import type { Limits } from '../../shared/domain/risk/limits.ts';
import { takeEvent } from '../../shared/lifecycle/reports/take-report.ts';
import { setDeploymentLimits } from '../../shared/lifecycle/risk-limits.ts';
import { engineClient } from '../support/engine.ts';
import { startHub } from '../support/hub.ts';
import { BITCOIN } from '../support/hub-deployments.ts';
import { startEngine, worker } from '../support/hub-engine.ts';
import { ruleTrader } from '../support/rule-strategies.ts';
import { rulesWith } from '../support/rules.ts';
import { furnishWithInstruments } from '../support/strategies.ts';
import { deployTrading } from '../support/trading.ts';
import { newOwner } from '../support/trading-events.ts';
import { eventsOfCycle } from './event-items.ts';
import { failWith, writeResult } from './result.ts';
import { inTurns, median, medianRatio, rounded } from './statistics.ts';
import { createStreamless } from './tables.ts';

/** Time under limits over that without. */
const MOST_RATIO = 1.05;
const CYCLES = 5;
/** Databases in which reports are measured, half of the rounds in each. */
const DATABASES = 12;
const PROGRAMS = 25;
const WARM_BARS = 40;
const MINUTE = 60_000;
const START = Date.parse('2026-03-02T00:00:00Z');
const CALM = 100;
const SIGNAL = 112;
/** Tables of reports. */
const TABLES = [
  { name: 'free', isLimited: false },
  { name: 'limited', isLimited: true },
] as const;
type Table = (typeof TABLES)[number];
/** Series of bars, in the order in which they are made. */
const PLACES = [
  { name: 'free-first', isLimited: false, symbol: 'BTCUSD' },
  { name: 'limited-first', isLimited: true, symbol: 'ETHUSD' },
  { name: 'limited-last', isLimited: true, symbol: 'LTCUSD' },
  { name: 'free-last', isLimited: false, symbol: 'BCHUSD' },
] as const;
type Place = (typeof PLACES)[number];

/** Limits of every kind that nothing here reaches. */
const WIDE: Limits = {
  daily_loss: '1000000',
  daily_loss_pct: '99',
  drawdown_pct: '99',
  open_positions: 50,
  position_value: '1000000',
  order_value: '1000000',
  orders_per_day: 9000,
  orders_per_minute: 500,
  action: 'pause',
};

const HELP = `npm run bench:limits [-- --rounds 40]

Measures the cost of risk limits that are never reached.`;

const { values } = readOptions(HELP, { options: { rounds: { type: 'string', default: '40' } } });
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new TypeError('--rounds is a positive integer');

const hub = await startHub();
const seriesOf = ({ symbol }: Place) => ({ ...BITCOIN, symbol, timeframe: '1m' }) as const;
await furnishWithInstruments(hub, ['AAPL', 'MSFT', ...PLACES.map(({ symbol }) => symbol)]);
// Identifiers are made from the time: in a standing millisecond there are few.
const began = hub.runtime.clock().getTime() + 86_400_000 - performance.now();
const runtime = { ...hub.runtime, clock: () => new Date(began + performance.now()) };

const timed = async (work: () => Promise<void>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

/** @throws Error if limits were reached, or nearly: such rounds measure more than the checks. */
const requireCalm = (deployments: readonly (Deployment | undefined)[]): void => {
  for (const deployment of deployments) {
    if (deployment?.kind !== 'live') throw new Error('a deployment is missing');
    const { status, held, risk } = deployment;
    if (status === 'paused' || status === 'halted' || held || risk?.tripped)
      throw new Error('a limit has stopped a deployment');
    if ((risk?.warned.length ?? 0) > 0) throw new Error('a limit is nearly reached');
  }
};

/** Takes the events of some trades in one database. @param tables in the order in which they are made */
const measureDatabase = async (tables: readonly Table[]): Promise<Map<Table, number[]>> => {
  const start = hub.runtime.clock().getTime();
  const dynamo = await startScratchDynamo();
  // The bundles of the functions prepare no log lines either.
  const client = withoutLog(new DynamoDBClient(engineClient(dynamo.endpoint)));
  try {
    const made = new Map<Table, { id: number; store: Store; memory: BookMemory }>();
    for (const table of tables) {
      const { deployments, user_id } = await newOwner(hub, 1, 'AAPL,MSFT');
      const [id = 0] = deployments;
      if (table.isLimited) await setDeploymentLimits(hub.runtime, id, user_id, { limits: WIDE });
      const [item] = await hub.runtime.store.getMany([keys.deployment(id)], { consistent: true });
      if (!item) throw new Error('the deployment is missing');
      await createStreamless(client, table.name);
      const store = new Store(client, table.name);
      await store.put(item);
      made.set(table, { id, store, memory: new BookMemory() });
    }
    const taken = await inTurns(tables, Math.ceil(rounds / 2), (table, round) => {
      const own = made.get(table);
      if (!own) throw new Error('no such table');
      const { id, store, memory } = own;
      return timed(async () => {
        for (let cycle = round * CYCLES; cycle < (round + 1) * CYCLES; cycle += 1) {
          // Moves the clock on with the events, so that the orders of a minute stay few.
          const clock = () => new Date(runtime.clock().getTime() + cycle * MINUTE);
          for (const { event } of eventsOfCycle(id, start, cycle)) {
            await takeEvent({ ...runtime, store, clock }, event, { memory });
          }
        }
      });
    });
    for (const { id, store } of made.values()) requireCalm(await findDeployments(store, [id]));
    return taken;
  } finally {
    client.destroy();
    await dynamo.close();
  }
};

/** Takes the events of some trades in several databases. */
const measureEvents = async (): Promise<Map<Table, number[]>> => {
  const taken = new Map(TABLES.map((table): [Table, number[]] => [table, []]));
  for (let database = 0; database < DATABASES; database += 1) {
    const measured = await measureDatabase(database % 2 === 0 ? TABLES : TABLES.toReversed());
    for (const [table, times] of measured) taken.get(table)?.push(...times);
  }
  return taken;
};

const close = { price: 'close' };
/** Rules of a program. No two are the same, and all of them signal on the same bars. */
const rulesOf = (program: number) =>
  rulesWith(
    {
      all: [
        { left: close, op: 'gt', right: 110 + program / 1000 },
        { left: { indicator: 'sma', length: 20 }, op: 'lt', right: close },
      ],
    },
    { exits: [{ side: 'long', when: { left: close, op: 'lt', right: 105 } }] },
  );

/** Feeds bars on which paper accounts enter, hold and leave, each place with a series of its own. */
const measureBars = async (): Promise<Map<Place, number[]>> => {
  const barOf = (at: number, close: number, open = close): Bar => ({
    start: START + at * MINUTE,
    open,
    high: Math.max(open, close) + 0.5,
    low: Math.min(open, close) - 0.5,
    close,
    volume: 1,
  });
  const one = worker({ ...hub, runtime });
  const ids: number[] = [];
  for (const place of PLACES) {
    const { symbol, timeframe } = seriesOf(place);
    const warm = Array.from({ length: WARM_BARS }, (_, at) => barOf(at, CALM));
    await appendBars(hub.runtime.store, seriesOf(place), columnsOf(warm));
    for (let program = 0; program < PROGRAMS; program += 1) {
      const owner = await ruleTrader(hub, { symbol, timeframe, rules: rulesOf(program) });
      const { status, body, text } = await deployTrading(hub, owner.keygen);
      if (status !== 200) throw new Error(text);
      const id = Number(body.deployment_id);
      ids.push(id);
      await startEngine(one, id);
      if (place.isLimited) await setDeploymentLimits(hub.runtime, id, owner.user_id, { limits: WIDE });
    }
  }
  // Fills are at opens. An account leaves at the price at which it entered, so that no round brings it nearer to a limit.
  const prices = [[CALM], [SIGNAL], [SIGNAL + 1], [SIGNAL], [CALM], [CALM, SIGNAL + 1]] as const;
  const taken = await inTurns(PLACES, rounds, (place, round) =>
    timed(async () => {
      const { symbol, timeframe, source } = seriesOf(place);
      for (const [index, [price, open]] of prices.entries()) {
        const { start, ...rest } = barOf(WARM_BARS + round * prices.length + index, price, open);
        await takeEngineEvent(one.engine, {
          'detail-type': 'Bar Closed',
          source,
          time: hub.runtime.clock().toISOString(),
          detail: { version: 1, symbol, timeframe, start: new Date(start).toISOString(), ...rest },
        });
      }
    }),
  );
  requireCalm(await findDeployments(hub.runtime.store, ids));
  return taken;
};

/** Returns the time of all tables or series of a variant, by round. */
const sums = (taken: ReadonlyMap<Table | Place, number[]>, isLimited: boolean): number[] => {
  const own = [...taken].filter(([place]) => place.isLimited === isLimited).map(([, times]) => times);
  return Array.from({ length: own[0]?.length ?? 0 }, (_, round) =>
    own.reduce((sum, times) => sum + (times[round] ?? Number.NaN), 0),
  );
};

const summaryOf = (taken: ReadonlyMap<Table | Place, number[]>) => {
  const [free, limited] = [sums(taken, false), sums(taken, true)];
  return {
    free_ms: rounded(median(free), 1),
    limited_ms: rounded(median(limited), 1),
    ratio: rounded(medianRatio(limited, free), 3),
  };
};

try {
  const events = summaryOf(await measureEvents());
  const paper = summaryOf(await measureBars());
  console.table({ events, 'bars of paper accounts': paper });
  await writeResult('limits', { rounds, events, bars: paper });
  failWith([
    ...(events.ratio > MOST_RATIO ? [`limits make events more than ${MOST_RATIO} times as slow`] : []),
    ...(paper.ratio > MOST_RATIO ? [`limits make bars more than ${MOST_RATIO} times as slow`] : []),
  ]);
} finally {
  await hub.close();
}
