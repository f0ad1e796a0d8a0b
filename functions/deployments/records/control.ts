import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../../shared/api/fields.ts';
import type { Deployment } from '../../../shared/data/deployments/deployments.ts';
import { DEPLOYMENT_STATUSES, STOP_REASONS } from '../../../shared/domain/deployments/deployment-states.ts';
import { holdFields, presentHold } from '../../../shared/records/hold.ts';

/** State of a deployment after a command. */
export const deploymentControlOut = extensionRecord(
  'DeploymentControl',
  z.object({
    deployment_id: integer(),
    deployment_type: z.enum(['notification', 'scanner', 'live']),
    status: z.enum(DEPLOYMENT_STATUSES),
    stop_reason: z.enum(STOP_REASONS).nullable(),
    stopped_at: timestamp().nullable(),
    ...holdFields,
  }),
);

/** Presents a deployment after a command to its owner. */
export const presentControl = ({
  deployment_id,
  kind: deployment_type,
  status,
  stop_reason,
  stopped_at,
  ...commands
}: Deployment): z.output<typeof deploymentControlOut> => ({
  deployment_id,
  deployment_type,
  status,
  stop_reason,
  stopped_at: stopped_at ?? null,
  ...presentHold(commands),
});
