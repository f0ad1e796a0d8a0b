import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../shared/api/fields.ts';
import {
  DEPLOYMENT_PHASES,
  DEPLOYMENT_STATUSES,
  STOP_REASONS,
} from '../../shared/domain/deployment-states.ts';
import { FREQUENCIES } from '../../shared/domain/signals.ts';
import { TIMEFRAMES } from '../../shared/domain/strategies.ts';
import { liveDeploymentCustomOut } from '../deployments/live-records.ts';
import { strategyShape } from '../strategies/strategy-shape.ts';

/** A strategy as an integrator sees it: without the keys that copy and deploy it. */
export const integratorStrategy = extensionRecord(
  'IntegratorStrategy',
  z.object({
    strategy_id: integer(),
    strategy_name: z.string(),
    ...strategyShape,
  }),
);

/** What deployments of every kind have. */
const run = {
  deployment_id: integer(),
  strategy_id: integer(),
  strategy_name: z.string(),
  symbols: z.array(z.string()),
  timeframe: z.enum(TIMEFRAMES),
  status: z.enum(DEPLOYMENT_STATUSES),
  phase: z.enum(DEPLOYMENT_PHASES),
  deployed_at: timestamp(),
  started_at: timestamp().nullable(),
  stopped_at: timestamp().nullable(),
  expires_at: timestamp().nullable(),
  stop_reason: z.enum(STOP_REASONS).nullable(),
} as const;

const price = z.number().nullable();

const integratorNotificationDeployment = extensionRecord(
  'IntegratorNotificationDeployment',
  z.object({
    ...run,
    type: z.literal('notification'),
    frequency: z.enum(FREQUENCIES),
    last_signal: z.object({ side: z.enum(['buy', 'sell']), price, at: timestamp() }).nullable(),
    signals_count: integer(),
  }),
);

export const integratorScanner = extensionRecord(
  'IntegratorScanner',
  z.object({
    ...run,
    type: z.literal('scanner'),
    universe_id: z.string(),
    universe_name: z.string(),
    last_run_at: timestamp().nullable(),
    matches_count: integer(),
    last_matches: z.array(z.object({ symbol: z.string(), price, at: timestamp() })),
  }),
);

const { symbol: _joined, ...liveFields } = liveDeploymentCustomOut.shape;

/** A live or paper deployment, which `mode` tells; the account is named where it is one at the broker itself. */
const integratorLiveDeployment = extensionRecord(
  'IntegratorLiveDeployment',
  z.object({ ...liveFields, type: z.literal('live') }),
);

/** A deployment of any kind; `type` tells which. */
export const integratorDeployment = z.discriminatedUnion('type', [
  integratorLiveDeployment,
  integratorNotificationDeployment,
  integratorScanner,
]);
