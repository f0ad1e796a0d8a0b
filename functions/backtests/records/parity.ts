import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../../shared/api/fields.ts';

const comparedOut = extensionRecord(
  'ParityCompared',
  z.object({
    symbols: z.array(z.string()),
    bars: integer(),
    late_bars: integer(),
    orders: integer(),
    trades: integer(),
    from: timestamp().nullable(),
    to: timestamp().nullable(),
  }),
);

const differenceOut = extensionRecord(
  'ParityDifference',
  z.object({
    kind: z.enum(['order', 'trade', 'waiting_order', 'cash']),
    symbol: z.string(),
    at: timestamp(),
    expected: z.string().nullable(),
    found: z.string().nullable(),
  }),
);

export const parityOut = extensionRecord(
  'Parity',
  z.object({
    deployment_id: integer(),
    is_equal: z.boolean(),
    is_complete: z.boolean(),
    compared: comparedOut,
    left_out: z.array(z.string()),
    differences_count: integer(),
    differences: z.array(differenceOut),
  }),
);
