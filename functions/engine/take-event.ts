import * as z from 'zod';
import { findSeries } from '../../shared/data/candles/series.ts';
import {
  ENGINE_ACCOUNTS_DUE,
  ENGINE_COMMANDED,
  ENGINE_ENDED,
  ENGINE_REQUESTED,
  SCANNERS_DUE,
  SERIES_DUE,
  SERIES_UNSETTLED,
} from '../../shared/data/engine/events.ts';
import { TIMEFRAMES } from '../../shared/domain/strategies/strategies.ts';
import { momentInput } from '../../shared/domain/time-inputs.ts';
import { advanceSeries, advanceShard, settleSeries } from './advance-series.ts';
import { endDeployment } from './end-deployment.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { commandAccounts } from './follow-commands.ts';
import { serveDeployment } from './real/serve-deployment.ts';
import { runScanners } from './scan/run-scanners.ts';
import { passSplit } from './split/pass-split.ts';
import { takeSplit } from './split/take-split.ts';
import { startDeployment } from './start-deployment.ts';
import { isFeedEvent, takeFeedEvent } from './take-feed-event.ts';

/** Watermarks of pulled series close larger bars within five seconds. Their scanners run together with the others. */
const PULLED_GRACE_MS = 7000;

const deploymentDetail = z.object({ version: z.literal(1), deployment_id: z.number() });

const eventSchema = z.discriminatedUnion('detail-type', [
  z.object({ 'detail-type': z.literal(ENGINE_REQUESTED), detail: deploymentDetail }),
  z.object({ 'detail-type': z.literal(ENGINE_COMMANDED), detail: deploymentDetail }),
  z.object({ 'detail-type': z.literal(ENGINE_ENDED), detail: deploymentDetail }),
  z.object({ 'detail-type': z.literal(ENGINE_ACCOUNTS_DUE), detail: deploymentDetail }),
  z.object({
    'detail-type': z.literal(SERIES_DUE),
    detail: z.object({
      version: z.literal(1),
      symbol: z.string(),
      source: z.enum(TIMEFRAMES),
      timeframe: z.enum(TIMEFRAMES),
      shard: z.int().min(0),
      settle: z.boolean().optional(),
    }),
  }),
  z.object({
    'detail-type': z.literal(SCANNERS_DUE),
    /** Time at which the bus took the event. */
    time: momentInput,
    detail: z.object({
      version: z.literal(1),
      feed: z.string(),
      timeframe: z.enum(TIMEFRAMES),
      through: momentInput,
    }),
  }),
  z.object({
    'detail-type': z.literal(SERIES_UNSETTLED),
    detail: z.object({ version: z.literal(1), symbol: z.string(), timeframe: z.enum(TIMEFRAMES) }),
  }),
]);

/** Takes an event of the hub's engine or of a feed. Repeats and several workers at once do no harm. */
export const takeEngineEvent = async (engine: EngineRuntime, raw: unknown): Promise<void> => {
  if (isFeedEvent(raw)) {
    return takeFeedEvent(engine, raw, {
      instruments: engine.memory.instruments,
      advance: async (series, timeframes) => {
        // Before a split, its programs have done all bars.
        if (!series.split?.started) await advanceSeries(engine, series, timeframes);
      },
      passSplit: (series) => passSplit(engine, series),
      takeSplit: (given) => takeSplit(engine, given, engine.memory),
      scan: (given) => runScanners(engine, given, given.at),
      sendAgain: engine.putEvent,
    });
  }
  const event = eventSchema.parse(raw);
  switch (event['detail-type']) {
    case ENGINE_REQUESTED:
      return startDeployment(engine, event.detail.deployment_id);
    case ENGINE_COMMANDED:
      return commandAccounts(engine, event.detail.deployment_id);
    case ENGINE_ENDED:
      return endDeployment(engine, event.detail.deployment_id);
    case ENGINE_ACCOUNTS_DUE:
      return serveDeployment(engine, event.detail.deployment_id);
    case SERIES_DUE: {
      const { symbol, source } = event.detail;
      const [series] = await findSeries(engine.store, symbol, [source]);
      if (series?.split?.started) await passSplit(engine, series);
      else if (series) await advanceShard(engine, series, event.detail);
      return;
    }
    case SCANNERS_DUE: {
      const { feed: source, timeframe, through } = event.detail;
      const watermark = { source, timeframe, through, symbols: undefined };
      return runScanners(engine, watermark, event.time, PULLED_GRACE_MS);
    }
    case SERIES_UNSETTLED: {
      const { symbol, timeframe } = event.detail;
      const [series] = await findSeries(engine.store, symbol, [timeframe]);
      if (series?.split?.started) await passSplit(engine, series);
      else if (series) await settleSeries(engine, series);
      return;
    }
    default:
      return event satisfies never;
  }
};
