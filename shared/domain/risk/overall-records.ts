import * as z from 'zod';
import { openEnum } from '../open-enum.ts';
import { daySchema } from '../periods.ts';
import { decimalText } from '../read-number.ts';

/** Measures when a loss limit is reached, from mild to strict. */
export const LIMIT_ACTIONS = ['pause', 'flatten'] as const;

/** Limits of a user over all deployments with real orders together, as stored. */
export const overallLimitsSchema = z.object({
  /** Revision of the limits of the user at which counting began. */
  since: z.int(),
  currency: z.string(),
  daily_loss: decimalText.optional(),
  exposure: decimalText.optional(),
  orders_per_day: z.int().optional(),
  orders_per_minute: z.int().optional(),
  action: openEnum(LIMIT_ACTIONS, 'flatten').optional(),
});

export type OverallLimits = z.output<typeof overallLimitsSchema>;

/** Counts of a user over all deployments, as stored. Each deployment keeps its own share; they sum up. */
export const totalsSchema = z.object({
  since: z.int(),
  /** Increases with every change. */
  rev: z.int(),
  /** Deployments whose shares are not counted yet: no entry leaves before they are. Absent without any. */
  pending: z.array(z.number()).optional(),
  /** Values of all positions and entries on their way. */
  exposure: decimalText,
  /** Day (UTC) of the next fields. */
  day: daySchema,
  /** Result of all deployments since the day began. */
  pnl: decimalText,
  /** Result from which losses count: zero, or that of the last re-arming. */
  base: decimalText,
  orders_today: z.int(),
  /** Minutes since 1970 of `orders_minute`. */
  minute: z.int(),
  orders_minute: z.int(),
  /** Set once the owner was warned on that day. */
  warned: z.literal(true).optional(),
  /** Limit that stopped all deployments on that day. */
  tripped: z
    .object({ limit: z.string(), at: z.string(), used: decimalText, allowed: decimalText })
    .optional(),
});

export type Totals = z.output<typeof totalsSchema>;

/** Share of a deployment in the counts of its user, as stored on it. */
export const shareSchema = z.object({
  /** Counting that it is a share of. */
  since: z.int(),
  exposure: decimalText,
  /** Day (UTC) of `pnl`, its result since the day began. */
  day: daySchema,
  pnl: decimalText,
  /** Equity at the last count. */
  equity: decimalText,
  /** Newest prices by bars of what was held then: time in milliseconds, and price. */
  marks: z.record(z.string(), z.tuple([z.number(), decimalText])).optional(),
});

export type Share = z.output<typeof shareSchema>;
