import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../../shared/api/fields.ts';
import type { ScannerDeployment } from '../../../shared/data/deployments/deployments.ts';
import { deploymentFields, presentFields } from './deployment-fields.ts';

export const integratorScanner = extensionRecord(
  'IntegratorScanner',
  z.object({
    ...deploymentFields,
    type: z.literal('scanner'),
    universe_id: z.string(),
    universe_name: z.string(),
    last_run_at: timestamp().nullable(),
    matches_count: integer(),
    last_matches: z.array(z.object({ symbol: z.string(), price: z.number().nullable(), at: timestamp() })),
  }),
);

/** Presents a scanner to the broker of its owner. */
export const presentScanner = (scanner: ScannerDeployment): z.output<typeof integratorScanner> => ({
  ...presentFields(scanner),
  type: 'scanner',
  universe_id: scanner.universe_id,
  universe_name: scanner.universe_name,
  last_run_at: scanner.last_run_at ?? null,
  matches_count: scanner.matches_count,
  last_matches: scanner.last_matches,
});
