import * as z from 'zod';
import { extra, integer, timestamp } from '../../../shared/api/fields.ts';
import type { Deployment } from '../../../shared/data/deployments/deployments.ts';
import { DEPLOYMENT_STATUSES, STOP_REASONS } from '../../../shared/domain/deployments/deployment-states.ts';
import { TIMEFRAMES } from '../../../shared/domain/strategies/strategies.ts';
import { engineField, engineOf } from '../../../shared/records/engine.ts';
import { holdFields, presentHold } from '../../../shared/records/hold.ts';

/** Fields that notification deployments and scanners share. */
export const runFields = {
  deployment_id: integer(),
  strategy_id: integer(),
  strategy_name: z.string(),
  timeframe: z.enum(TIMEFRAMES),
  broker_id: extra(integer().nullable()),
  engine: engineField(),
  status: z.enum(DEPLOYMENT_STATUSES),
  deployed_at: timestamp(),
  expires_at: timestamp().nullable(),
  stopped_at: timestamp().nullable(),
  stop_reason: z.enum(STOP_REASONS).nullable(),
  ...holdFields,
} as const;

/** The fields that notification deployments and scanners have in common. */
export const presentRun = (deployment: Deployment) => ({
  deployment_id: deployment.deployment_id,
  strategy_id: deployment.strategy_id,
  strategy_name: deployment.strategy_name,
  timeframe: deployment.timeframe,
  broker_id: deployment.broker_id ?? null,
  engine: engineOf(deployment),
  status: deployment.status,
  deployed_at: deployment.deployed_at,
  expires_at: deployment.expires_at ?? null,
  stopped_at: deployment.stopped_at ?? null,
  stop_reason: deployment.stop_reason,
  ...presentHold(deployment),
});
