import * as z from 'zod';
import { openEnum } from '../open-enum.ts';
import { decimalText } from '../read-number.ts';
import { LIMIT_ACTIONS, overallLimitsSchema } from './overall-records.ts';

/** Hours in which entries are allowed. They begin at `from`, end before `to` and may pass midnight. */
const hoursSchema = z.object({
  time_zone: z.string(),
  weekdays: z.array(z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])).optional(),
  from: z.string(),
  to: z.string(),
});

const common = {
  daily_loss: decimalText.optional(),
  daily_loss_pct: decimalText.optional(),
  drawdown_pct: decimalText.optional(),
  open_positions: z.int().optional(),
  position_value: decimalText.optional(),
  order_value: decimalText.optional(),
  orders_per_day: z.int().optional(),
  orders_per_minute: z.int().optional(),
  symbols: z.array(z.string()).optional(),
  paper_days: z.int().optional(),
  action: openEnum(LIMIT_ACTIONS, 'flatten').optional(),
} as const;

/** Limits of one level as stored: of a user, or of a deployment. */
const limitsSchema = z.object({ ...common, hours: hoursSchema.optional() });

export type Limits = z.output<typeof limitsSchema>;

/** Limits of all levels together as stored on a deployment. An entry has to lie in all of its hours. */
const mergedLimitsSchema = z.object({ ...common, hours: z.array(hoursSchema).optional() });

export type MergedLimits = z.output<typeof mergedLimitsSchema>;

/** Limits of a deployment as stored on it: its own, and those of all levels together. */
export const deploymentLimitsSchema = z.object({
  /** Increases with every change, so that caches notice it. */
  rev: z.int(),
  /** Revision of the limits of the user that are merged in; 0 without any. */
  user_rev: z.int(),
  /** Absent if the deployment has no limits of its own. */
  own: limitsSchema.optional(),
  merged: mergedLimitsSchema,
  /** Limits of the user over all deployments with real orders, of which this is one. */
  all: overallLimitsSchema.optional(),
});

export type DeploymentLimits = z.output<typeof deploymentLimitsSchema>;

/** Limits of a user as stored: for each deployment, and over all of them. */
export const userLimitsSchema = z.object({
  each: limitsSchema.optional(),
  all: overallLimitsSchema.optional(),
});

export type UserLimits = z.output<typeof userLimitsSchema>;
