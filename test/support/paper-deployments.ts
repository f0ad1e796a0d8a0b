import { afterEach, beforeEach, expect } from '@jest/globals';
import { appendBars } from '../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../shared/data/candles/import-bars.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { type BarColumns, sliceBars } from '../../shared/domain/candles/bars.ts';
import type { BacktestSetup } from '../../shared/domain/engine/backtest/setup.ts';
import type { TestHub } from './hub.ts';
import { BITCOIN, copyDeployment, expectedFills, feed, fillsOf, hubDeployed } from './hub-deployments.ts';
import { endEngine, startEngine, type Worker, worker } from './hub-engine.ts';
import { openHub } from './open-hub.ts';
import { furnishWithInstruments } from './strategies.ts';
import { trader } from './trading.ts';

type Owner = Awaited<ReturnType<typeof trader>>;

/** Paper deployments over daily bars of a file's tests. Each test has an owner of its own, and none runs after it. */
export interface PaperDeployments {
  readonly hub: TestHub;
  readonly owner: () => Owner;
  /** Returns the bar at an index, alone. */
  readonly oneBar: (bar: number) => BarColumns;
  /** Appends bars one by one and lets workers advance the programs at each. */
  readonly feedBars: (
    from: number,
    to: number,
    workersOf: (bar: number) => readonly Worker[],
  ) => Promise<void>;
  /** Starts deployments of one setup. */
  readonly start: (on: Worker, setup: BacktestSetup, count: number) => Promise<number[]>;
  /** Ends the deployments, so that their programs are removed, and leaves only the first bars. */
  readonly reset: () => Promise<void>;
  /** Checks that each bar was traded once: the fills of deployments are more than some, and those of the backtest. */
  readonly expectAllFills: (ids: readonly number[], moreThan: number) => Promise<void>;
}

/**
 * Opens a hub for the tests of a file. Await it at the top of the file.
 *
 * @param warm number of the bars that are stored before a test.
 */
export const openPaperDeployments = async (bars: BarColumns, warm: number): Promise<PaperDeployments> => {
  const hub = await openHub((own) => furnishWithInstruments(own, [BITCOIN.symbol]));
  const { store } = hub.runtime;
  const running: number[] = [];
  let owner: Owner | undefined;
  const ownerOf = (): Owner => {
    if (!owner) throw new Error('no test runs');
    return owner;
  };

  const oneBar = (bar: number): BarColumns => sliceBars(bars, bar, bar + 1);

  const end = async (): Promise<void> => {
    for (const id of running.splice(0)) {
      await store.transact([{ key: keys.deployment(id), set: { status: 'stopped' } }]);
      await endEngine(worker(hub), id);
    }
  };
  const replaceBars = async (): Promise<void> => {
    await removeSeries(store, BITCOIN);
    await appendBars(store, BITCOIN, sliceBars(bars, 0, warm));
  };
  beforeEach(async () => {
    // Copies of a deployment have the identifiers after its own.
    hub.advance(1000);
    owner = await trader(hub, { symbol: BITCOIN.symbol });
    await replaceBars();
  });
  afterEach(end);

  return {
    hub,
    owner: ownerOf,
    oneBar,
    feedBars: async (from, to, workersOf) => {
      for (let bar = from; bar < to; bar++) await feed(hub, oneBar(bar), workersOf(bar));
    },
    start: async (on, setup, count) => {
      const first = await hubDeployed(hub, ownerOf(), setup);
      const ids = [first];
      for (let copy = 1; copy < count; copy++) ids.push(await copyDeployment(hub, first, copy, setup));
      for (const id of ids) await startEngine(on, id);
      running.push(...ids);
      return ids;
    },
    reset: async () => {
      await end();
      await replaceBars();
    },
    expectAllFills: async (ids, moreThan) => {
      const expected = await expectedFills(hub, ids[0] ?? 0, bars);
      expect(expected.length).toBeGreaterThan(moreThan);
      for (const id of ids) expect(await fillsOf(hub, id)).toEqual(expected);
    },
  };
};
