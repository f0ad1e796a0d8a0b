import * as z from 'zod';
import { openRecord } from '../open-enum.ts';

/** Groups of notification kinds for which an owner chooses channels. */
export const PREFERENCE_GROUPS = ['signals', 'fills', 'orders', 'status', 'risk', 'security'] as const;
export type PreferenceGroup = (typeof PREFERENCE_GROUPS)[number];

/** Channels by which a group leaves; an absent one does. */
const channelsSchema = z.object({
  push: z.boolean().optional(),
  email: z.boolean().optional(),
  sms: z.boolean().optional(),
});

/** Times of day between which nothing is pushed or texted; they may pass midnight. */
export const quietHoursSchema = z.object({ time_zone: z.string(), from: z.string(), to: z.string() });

export type QuietHours = z.output<typeof quietHoursSchema>;

/** Notification preferences of a user as stored. */
export const preferencesSchema = z.object({
  /** Increases with every change. */
  rev: z.int(),
  groups: openRecord(PREFERENCE_GROUPS, channelsSchema),
  quiet_hours: quietHoursSchema.optional(),
});

export type NotificationPreferences = z.output<typeof preferencesSchema>;
