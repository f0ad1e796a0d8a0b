import * as z from 'zod';
import { integer, timestamp } from '../../../shared/api/fields.ts';
import type { Deployment } from '../../../shared/data/deployments/deployments.ts';
import { DEPLOYMENT_STATUSES, STOP_REASONS } from '../../../shared/domain/deployments/deployment-states.ts';

/** Ended deployment: the answer of undeploying. */
export const endedDeployment = z.object({
  deployment_id: integer(),
  status: z.enum(DEPLOYMENT_STATUSES),
  stop_reason: z.enum(STOP_REASONS).nullable(),
  stopped_at: timestamp().nullable(),
});

/** Presents an ended deployment. */
export const presentEnded = (deployment: Deployment): z.output<typeof endedDeployment> => ({
  deployment_id: deployment.deployment_id,
  status: deployment.status,
  stop_reason: deployment.stop_reason,
  stopped_at: deployment.stopped_at ?? null,
});
