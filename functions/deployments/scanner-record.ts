import * as z from 'zod';
import { integer, record, timestamp } from '../../shared/api/fields.ts';
import { runFields } from './run-fields.ts';

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
