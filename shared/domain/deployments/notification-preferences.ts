import * as z from 'zod';
import { openRecord } from '../open-enum.ts';

/** Groups of notification kinds for which an owner chooses channels. */
export const PREFERENCE_GROUPS = ['signals', 'fills', 'orders', 'status', 'risk', 'security'] as const;
export type PreferenceGroup = (typeof PREFERENCE_GROUPS)[number];

/** Groups whose mails the holder of a mail can end without a session. Silencing security needs the session of the owner. */
const ENDABLE_GROUPS = [
  'signals',
  'fills',
  'orders',
  'status',
  'risk',
] as const satisfies readonly PreferenceGroup[];
export type EndableGroup = (typeof ENDABLE_GROUPS)[number];

/** Group of a link: one group, or `all` for those of {@link groupsOf}. */
export const LINK_GROUPS = [...ENDABLE_GROUPS, 'all'] as const;
export type LinkGroup = (typeof LINK_GROUPS)[number];

/** Returns the groups that a link ends. `all` leaves risk warnings on: their own link ends them. */
export const groupsOf = (group: LinkGroup): readonly EndableGroup[] =>
  group === 'all' ? ['signals', 'fills', 'orders', 'status'] : [group];

/** Returns whether the mails of a group can be ended without a session. */
export const isEndable = (group: PreferenceGroup): group is EndableGroup => group !== 'security';

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
