import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { takeEngineEvent } from '../../functions/engine/take-event.ts';
import { appendBars } from '../../shared/data/candles/append-bars.ts';
import { findSeries } from '../../shared/data/candles/series.ts';
import { ENGINE_ENDED, ENGINE_REQUESTED, SERIES_UNSETTLED } from '../../shared/data/engine/events.ts';
import { type BarColumns, barAt, sliceBars } from '../../shared/domain/candles/bars.ts';
import { HUB_SOURCE } from '../../shared/domain/deployments/event-source.ts';
import type { TestHub } from '../support/hub.ts';
import { BITCOIN, expectedFills, type Fill, fillsOf, sumFills } from '../support/hub-deployments.ts';
import { worker } from '../support/hub-engine.ts';
import { randomNumbers } from '../support/random-bars.ts';
import { furnishWithInstruments } from '../support/strategies.ts';
import { undeployTrading } from '../support/trading.ts';
import { type TradingState, tradingStateOf } from '../support/trading-state.ts';
import { type BarOwners, deployAll } from './bar-deployments.ts';
import { type EngineState, engineStateOf } from './engine-state.ts';
import { type Market, marketOf, SYMBOLS, TIMEFRAME, WARM } from './market.ts';
import { deliverRemaining } from './messages.ts';
import { type Mortal, startMortal } from './mortal.ts';
import { type Closing, closingAfter, startScratchHubs } from './scratch-hub.ts';

/** One of this many batches is delivered again, to both workers at once. */
const REPEATED = 7;
const MAX_BATCH = 96;
const DAY_MS = 86_400_000;

/** Fills of a deployment, and those of its backtest. */
interface Traded {
  readonly fills: readonly Fill[];
  readonly expected: readonly Fill[];
}

interface RunState {
  readonly books: TradingState;
  readonly engine: EngineState;
}

/** The result of a kill loop over bars. */
export interface KilledBars {
  readonly bars: number;
  readonly kills: number;
  /** Invocations that died with a process. */
  readonly died: number;
  readonly fills: number;
  readonly notifications: number;
  readonly seconds: number;
  /** Reasons of unacknowledged events, with their counts. */
  readonly failures: Readonly<Record<string, number>>;
  readonly undisturbed: RunState;
  readonly disturbed: RunState;
  /** By deployment that trades to the end. */
  readonly traded: readonly Traded[];
}

/** Bars of both symbols that arrive together, of one day. */
interface Step {
  readonly from: number;
  readonly to: number;
}

/** Returns the bar before which a deployment ends. */
const middleOf = (starts: readonly number[]): number => (WARM + starts.length) >> 1;

/**
 * Divides the bars after the warm-up. Days are not divided between symbols, as they close at the prices of all.
 *
 * @param random number from 0 to 1: a step has at most so much of `MAX_BATCH`.
 */
const stepsOf = (starts: readonly number[], random: () => number): Step[] => {
  const steps: Step[] = [];
  const middle = middleOf(starts);
  for (let from = WARM; from < starts.length; ) {
    const day = Math.floor((starts[from] ?? 0) / DAY_MS);
    const end = from < middle ? middle : starts.length;
    const wanted = Math.min(end, from + 1 + Math.floor(random() * MAX_BATCH));
    let to = from + 1;
    while (to < wanted && Math.floor((starts[to] ?? 0) / DAY_MS) === day) to++;
    steps.push({ from, to });
    from = to;
  }
  return steps;
};

const isoOf = (at: number): string => new Date(at).toISOString();

/** Returns the event of a feed for the bars of a step: one bar, or several. */
const barsEvent = (symbol: string, bars: BarColumns, { from, to }: Step, now: number) => {
  const given = Array.from({ length: to - from }, (_, index) => {
    const bar = barAt(bars, from + index);
    if (!bar) throw new RangeError('there is no such bar');
    return { ...bar, start: isoOf(bar.start) };
  });
  const [first] = given;
  return {
    'detail-type': given.length === 1 ? 'Bar Closed' : 'Bars Closed',
    source: BITCOIN.source,
    time: isoOf(now),
    detail: {
      version: 1,
      symbol,
      timeframe: TIMEFRAME,
      previous: isoOf(bars.start[from - 1] ?? 0),
      ...(given.length === 1 ? first : { bars: given }),
    },
  };
};

const hubEvent = (type: string, detail: object) => ({
  'detail-type': type,
  source: HUB_SOURCE,
  detail: { version: 1, ...detail },
});

/** Takes an event until it is acknowledged. `place` chooses the worker. */
type Take = (event: object, place: number) => Promise<void>;

interface RunOptions {
  readonly hub: TestHub;
  readonly market: Market;
  readonly take: Take;
  /** Divides days, repeats batches, and lets both workers take some at once. */
  readonly isUnruly: boolean;
  readonly onStep?: (step: number, steps: number) => void;
}

/** Feeds all bars; in the middle a deployment ends. */
const feedAll = async (
  { hub, market, take, isUnruly, onStep }: RunOptions,
  owners: BarOwners,
): Promise<void> => {
  const draw = randomNumbers(5);
  const steps = stepsOf(market.starts, () => (isUnruly ? draw() * draw() : 1));
  const now = hub.runtime.clock().getTime();
  const again: Promise<void>[] = [];
  const middle = middleOf(market.starts);
  for (const [index, step] of steps.entries()) {
    if (step.from === middle) {
      await Promise.all(again.splice(0));
      const { user_id, id } = owners.ending;
      const { status } = await undeployTrading(hub, user_id, id);
      if (status !== 200) throw new Error('the deployment could not be undeployed');
      await take(hubEvent(ENGINE_ENDED, { deployment_id: id }), index);
    }
    const events = SYMBOLS.map((symbol) => barsEvent(symbol, market.bars[symbol], step, now));
    if (isUnruly) {
      await Promise.all(events.map((event, place) => take(event, index + place)));
      if (index % REPEATED === 0) {
        for (const event of events) again.push(take(event, index), take(event, index + 1));
      }
    } else for (const event of events) await take(event, index);
    onStep?.(index + 1, steps.length);
  }
  await Promise.all(again);
};

const notification = z.object({ kind: z.string(), deployment_id: z.number().optional() });

/**
 * Leaves out the notifications that every position of a deployment is closed, of those with several symbols: the fills
 * of different symbols at the same time are booked in any order.
 */
const comparable = (books: TradingState, { owners, trading }: BarOwners): TradingState => {
  const places = owners.flatMap(({ deployments }) => deployments);
  const several = trading
    .filter(({ symbols }) => symbols.length > 1)
    .map(({ id }): number | undefined => places.indexOf(id));
  const isStable = (text: string): boolean => {
    const { kind, deployment_id } = notification.parse(JSON.parse(text));
    return kind !== 'cycle_completed' || !several.includes(deployment_id);
  };
  return {
    ...books,
    users: books.users.map((user) => ({ ...user, notifications: user.notifications.filter(isStable) })),
  };
};

const run = async (options: RunOptions) => {
  const { hub, market, take } = options;
  const { store, clock } = hub.runtime;
  for (const symbol of SYMBOLS) {
    await appendBars(store, market.facts[symbol], sliceBars(market.bars[symbol], 0, WARM));
  }
  const owners = await deployAll(hub);
  const { started } = owners;
  await Promise.all(
    started.map((id, place) => take(hubEvent(ENGINE_REQUESTED, { deployment_id: id }), place)),
  );
  await feedAll(options, owners);
  for (const symbol of SYMBOLS) {
    await take(hubEvent(SERIES_UNSETTLED, { symbol, timeframe: TIMEFRAME }), 0);
    const [series] = await findSeries(store, symbol, [TIMEFRAME]);
    if (series?.count !== market.starts.length) throw new Error('bars are missing');
  }
  await deliverRemaining(hub, clock().getTime() + DAY_MS);
  const traded: Traded[] = [];
  for (const { id, symbols } of owners.trading) {
    const bars = symbols.map((symbol) => market.bars[symbol]);
    const [fills, expected] = [await fillsOf(hub, id), await expectedFills(hub, id, ...bars)];
    traded.push({ fills: sumFills(fills), expected: sumFills(expected) });
  }
  const state: RunState = {
    books: comparable(await tradingStateOf(store, owners.owners), owners),
    engine: await engineStateOf(store, started),
  };
  return { state, traded };
};

/**
 * Feeds bars to two workers while their processes are killed repeatedly, and the same bars to one that runs
 * undisturbed.
 */
export const killBars = (count: number, kills: number): Promise<KilledBars> =>
  closingAfter((closing) => runLoop(count, kills, closing));

const runLoop = async (count: number, kills: number, closing: Closing): Promise<KilledBars> => {
  const { endpoint, hubOn } = await startScratchHubs(closing);
  const furnishedOn = async (table: string): Promise<TestHub> => {
    const hub = await hubOn(table);
    await furnishWithInstruments(hub, SYMBOLS);
    return hub;
  };
  const market = marketOf(WARM + Math.ceil(count / SYMBOLS.length));

  const calm = await furnishedOn('calm');
  const began = performance.now();
  const opened = calm.runtime.clock().getTime();
  // It goes on, like that of the processes: a millisecond has only so many ids.
  const ticking = { ...calm.runtime, clock: () => new Date(opened + performance.now() - began) };
  const only = worker({ ...calm, runtime: ticking });
  const undisturbed = await run({
    hub: calm,
    market,
    take: (event) => takeEngineEvent(only.engine, event),
    isUnruly: false,
  });

  const unlucky = await furnishedOn('kill');
  const failures: Record<string, number> = {};
  const onTheBus: object[] = [];
  const mortals: Mortal[] = Array.from({ length: 2 }, () =>
    startMortal({
      endpoint,
      table: 'kill',
      clock: unlucky.runtime.clock().getTime(),
      onEvent: (event) => {
        if (typeof event === 'object' && event !== null) onTheBus.push(event);
      },
    }),
  );
  closing.push(() => Promise.all(mortals.map((mortal) => mortal.close())));
  const take: Take = async (event, place) => {
    for (let attempt = 0; ; attempt++) {
      try {
        // The bus picks any container.
        await mortals[(place + attempt) % mortals.length]?.invoke('engine', event);
        break;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        failures[reason] = (failures[reason] ?? 0) + 1;
        if (attempt === 50) throw error;
      }
    }
    for (const put of onTheBus.splice(0)) await take(put, place);
  };
  const started = performance.now();
  let killed = 0;
  let died = 0;
  const disturbed = await run({
    hub: unlucky,
    market,
    take,
    isUnruly: true,
    onStep: (step, steps) => {
      if (killed === kills || step < ((killed + 1) * steps) / (kills + 1)) return;
      const mortal = mortals[killed % mortals.length];
      killed += 1;
      // At any moment of an invocation.
      setTimeout(() => {
        mortal?.kill((count) => {
          died += count;
        });
      }, Math.random() * 25);
    },
  });
  return {
    bars: (market.starts.length - WARM) * SYMBOLS.length,
    kills: killed,
    died,
    fills: disturbed.traded.reduce((sum, { fills }) => sum + fills.length, 0),
    notifications: disturbed.state.books.users.reduce(
      (sum, { notifications }) => sum + notifications.length,
      0,
    ),
    seconds: (performance.now() - started) / 1000,
    failures,
    undisturbed: undisturbed.state,
    disturbed: disturbed.state,
    traded: disturbed.traded,
  };
};

/** Returns whether nothing was lost, nothing counted twice, and every deployment traded as its backtest. */
export const areBarsUnharmed = ({ undisturbed, disturbed, traded }: KilledBars): boolean =>
  isDeepStrictEqual(undisturbed, disturbed) &&
  traded.every(({ fills, expected }) => isDeepStrictEqual(fills, expected));
