import * as z from 'zod';
import { integer, timestamp } from '../../shared/api/fields.ts';
import { DEPLOYMENT_STATUSES, STOP_REASONS } from '../../shared/domain/deployments/deployment-states.ts';

/** Ended deployment: the answer of undeploying. */
export const endedDeployment = z.object({
  deployment_id: integer(),
  status: z.enum(DEPLOYMENT_STATUSES),
  stop_reason: z.enum(STOP_REASONS).nullable(),
  stopped_at: timestamp().nullable(),
});
