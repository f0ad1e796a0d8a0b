import * as z from 'zod';
import { integer, timestamp } from '../../../shared/api/fields.ts';
import type { Deployment } from '../../../shared/data/deployments/deployments.ts';
import {
  DEPLOYMENT_PHASES,
  DEPLOYMENT_STATUSES,
  STOP_REASONS,
} from '../../../shared/domain/deployments/deployment-states.ts';
import { TIMEFRAMES } from '../../../shared/domain/strategies/strategies.ts';
import { engineField, engineOf } from '../../../shared/records/engine.ts';

/** Fields of all kinds of deployments. */
export const deploymentFields = {
  deployment_id: integer(),
  strategy_id: integer(),
  strategy_name: z.string(),
  symbols: z.array(z.string()),
  timeframe: z.enum(TIMEFRAMES),
  broker_id: integer().nullable(),
  engine: engineField(),
  status: z.enum(DEPLOYMENT_STATUSES),
  phase: z.enum(DEPLOYMENT_PHASES),
  deployed_at: timestamp(),
  started_at: timestamp().nullable(),
  stopped_at: timestamp().nullable(),
  expires_at: timestamp().nullable(),
  stop_reason: z.enum(STOP_REASONS).nullable(),
} as const;

/** Presents the fields of {@link deploymentFields}. */
export const presentFields = (deployment: Deployment) => ({
  deployment_id: deployment.deployment_id,
  strategy_id: deployment.strategy_id,
  strategy_name: deployment.strategy_name,
  symbols: deployment.symbols,
  timeframe: deployment.timeframe,
  broker_id: deployment.broker_id ?? null,
  engine: engineOf(deployment),
  status: deployment.status,
  phase: deployment.phase,
  deployed_at: deployment.deployed_at,
  started_at: deployment.started_at ?? null,
  stopped_at: deployment.stopped_at ?? null,
  expires_at: deployment.expires_at ?? null,
  stop_reason: deployment.stop_reason,
});
