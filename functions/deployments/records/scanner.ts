import * as z from 'zod';
import { integer, record, timestamp } from '../../../shared/api/fields.ts';
import type { ScannerDeployment } from '../../../shared/data/deployments/deployments.ts';
import { presentRun, runFields } from './run.ts';

export const scannerDeploymentsOut = record(
  'ScannerDeploymentsOut',
  z.object({
    ...runFields,
    universe_id: z.string(),
    universe_name: z.string(),
    last_run_at: timestamp().nullable(),
    matches_count: integer(),
    last_matches: z.array(z.object({ symbol: z.string(), price: z.number().nullable(), at: timestamp() })),
  }),
);

/** Presents a scanner deployment to its owner. */
export const presentScanner = (deployment: ScannerDeployment): z.output<typeof scannerDeploymentsOut> => ({
  ...presentRun(deployment),
  universe_id: deployment.universe_id,
  universe_name: deployment.universe_name,
  last_run_at: deployment.last_run_at ?? null,
  matches_count: deployment.matches_count,
  last_matches: deployment.last_matches,
});
