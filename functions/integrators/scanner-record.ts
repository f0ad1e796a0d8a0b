import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../shared/api/fields.ts';
import type { Deployment, ScannerDeployment } from '../../shared/data/deployments.ts';
import {
  DEPLOYMENT_PHASES,
  DEPLOYMENT_STATUSES,
  STOP_REASONS,
} from '../../shared/domain/deployment-states.ts';
import { TIMEFRAMES } from '../../shared/domain/strategies.ts';

/** What deployments of every kind have. */
export const runFields = {
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

/** The fields of {@link runFields}. */
export const presentRun = (deployment: Deployment) => ({
  deployment_id: deployment.deployment_id,
  strategy_id: deployment.strategy_id,
  strategy_name: deployment.strategy_name,
  symbols: deployment.symbols,
  timeframe: deployment.timeframe,
  status: deployment.status,
  phase: deployment.phase,
  deployed_at: deployment.deployed_at,
  started_at: deployment.started_at ?? null,
  stopped_at: deployment.stopped_at ?? null,
  expires_at: deployment.expires_at ?? null,
  stop_reason: deployment.stop_reason,
});

export const integratorScanner = extensionRecord(
  'IntegratorScanner',
  z.object({
    ...runFields,
    type: z.literal('scanner'),
    universe_id: z.string(),
    universe_name: z.string(),
    last_run_at: timestamp().nullable(),
    matches_count: integer(),
    last_matches: z.array(z.object({ symbol: z.string(), price: z.number().nullable(), at: timestamp() })),
  }),
);

/** A scanner of a user, for the broker. */
export const presentScanner = (scanner: ScannerDeployment): z.output<typeof integratorScanner> => ({
  ...presentRun(scanner),
  type: 'scanner',
  universe_id: scanner.universe_id,
  universe_name: scanner.universe_name,
  last_run_at: scanner.last_run_at ?? null,
  matches_count: scanner.matches_count,
  last_matches: scanner.last_matches,
});
