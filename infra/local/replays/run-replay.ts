import { setTimeout as wait } from 'node:timers/promises';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { endOfSpan } from '../../../shared/data/candles/import-bars.ts';
import { readCandles } from '../../../shared/data/candles/read-candles.ts';
import { findSeries, type Series } from '../../../shared/data/candles/series.ts';
import { findDeployments, type TradingDeployment } from '../../../shared/data/deployments/deployments.ts';
import { endReplay } from '../../../shared/data/deployments/replays.ts';
import type { Replay } from '../../../shared/data/deployments/trading-record.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { type Bar, listBars } from '../../../shared/domain/candles/bars.ts';
import { isFinalDeploymentStatus } from '../../../shared/domain/deployments/deployment-states.ts';
import { commandKeys } from '../../../shared/lifecycle/commands/command.ts';
import { stop } from '../../../shared/lifecycle/commands/stop.ts';
import { changeDeployment } from '../../../shared/lifecycle/deployment-change.ts';
import type { Runtime } from '../../../shared/runtime.ts';
import { replayBars } from '../../candles/replay-bars.ts';

const POLL_MS = 200;

export interface ReplayPlace {
  readonly runtime: Runtime;
  /** Client of the bus. */
  readonly client: Pick<EventBridgeClient, 'send'>;
  readonly bus: string;
  readonly signal: AbortSignal;
}

type Replayed = TradingDeployment & { readonly replay: Replay };

/** Reads a replay that has not ended. */
const findReplay = async (store: Store, deploymentId: number): Promise<Replayed | undefined> => {
  const [found] = await findDeployments(store, [deploymentId]);
  if (found?.kind !== 'live' || isFinalDeploymentStatus(found.status)) return undefined;
  const { replay } = found;
  return replay && { ...found, replay };
};

const seriesOf = async (store: Store, symbol: string, { timeframe }: Replay): Promise<Series> => {
  const [series] = await findSeries(store, symbol, [timeframe]);
  if (!series) throw new Error(`there are no candles of ${symbol}`);
  return series;
};

/** Returns the recorded bars after a moment. */
async function* recordedBars(store: Store, series: Series, after: number): AsyncGenerator<Bar> {
  for (let from = after + 1; from <= series.last; ) {
    const to = endOfSpan(series, from);
    const { bars } = await readCandles(store, series, series.timeframe, { from, to });
    yield* listBars(bars);
    from = to;
  }
}

/** Stops a deployment whose recorded candles have ended, and closes its position. */
const stopAtEnd = async (runtime: Runtime, deploymentId: number): Promise<void> => {
  const command = {
    action: 'stop',
    by: 'engine',
    reason: 'The recorded candles end here.',
    stop_reason: 'completed',
    flatten: true,
  } as const;
  await changeDeployment(
    runtime,
    deploymentId,
    (before, now, items) => {
      const commanded = before && stop(before, command, { now, items });
      return commanded?.outcome === 'done' ? commanded.effect : undefined;
    },
    commandKeys(deploymentId),
  );
};

/**
 * Feeds the recorded candles of a deployment until they end, the deployment ends or the service does. Goes on after the
 * newest bar that was fed.
 *
 * @throws ReplayStuckError
 */
export const runReplay = async (place: ReplayPlace, deploymentId: number): Promise<void> => {
  const { runtime, client, bus, signal } = place;
  const { store } = runtime;
  let found = await findReplay(store, deploymentId);
  // The engine joins the program first, so that the first bar is traded.
  while (found?.status === 'requested' && !signal.aborted) {
    await wait(POLL_MS, undefined, { signal }).catch(() => undefined);
    found = await findReplay(store, deploymentId);
  }
  if (signal.aborted) return;
  const [symbol] = found?.symbols ?? [];
  if (!found || symbol === undefined) return endReplay(store, deploymentId);
  const { replay } = found;
  const [recorded, fed] = await Promise.all([
    seriesOf(store, replay.symbol, replay),
    seriesOf(store, symbol, replay),
  ]);
  let isWhole = false;
  const whileRunning = async function* (): AsyncGenerator<Bar> {
    for await (const bar of recordedBars(store, recorded, fed.last)) {
      if (!(await findReplay(store, deploymentId))) return;
      yield bar;
    }
    isWhole = true;
  };
  await replayBars(
    {
      store,
      client,
      bus,
      symbol,
      timeframe: fed.timeframe,
      calendar: fed.calendar,
      source: fed.source,
      speed: replay.bars_a_minute / 60,
      newest: fed.last,
      onProgress: () => undefined,
      signal,
    },
    whileRunning(),
  );
  if (signal.aborted) return;
  if (isWhole) await stopAtEnd(runtime, deploymentId);
  await endReplay(store, deploymentId);
};
