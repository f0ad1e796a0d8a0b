import { TimeZone } from '../../domain/candles/time-zone.ts';
import {
  type NotificationPreferences,
  PREFERENCE_GROUPS,
  type PreferenceGroup,
  type QuietHours,
} from '../../domain/deployments/notification-preferences.ts';
import type { Channel } from '../../domain/deployments/signal-frequency.ts';
import { isOpenAt } from '../../domain/risk/hours.ts';
import type { Notification } from './notification.ts';

type Kind = Notification['kind'];

/** Kinds of the group `status`, which all kinds have that {@link KINDS} does not name. A type, as it costs no code. */
type StatusKind =
  | 'deployment_started'
  | 'deployment_expired'
  | 'deployment_stopped'
  | 'deployment_error'
  | 'deployment_paused'
  | 'deployment_resumed'
  | 'deployment_halted'
  | 'deployment_proposed'
  | 'split'
  | 'webhook_disabled'
  | 'mail_stopped'
  | 'other';

/** Kinds of the other groups. */
const KINDS = {
  signals: ['signal_buy', 'signal_sell', 'scanner_match'],
  fills: ['entry_filled', 'exit_filled', 'stop_loss_hit', 'target_hit', 'cycle_completed'],
  orders: ['entry_cancelled', 'order_rejected', 'order_unknown'],
  risk: ['risk_warning'],
  security: [
    'risk_tripped',
    'kill_switch',
    'hold_ignored',
    'execution_connected',
    'webhook_registered',
    'signal_hook_created',
    'api_key_made',
    'assistant_connected',
    'broker_disconnected',
    'token_expiring',
    'mail_ended',
  ],
} as const satisfies Readonly<Partial<Record<PreferenceGroup, readonly Kind[]>>>;

type GroupedKind = (typeof KINDS)[keyof typeof KINDS][number];

/** Groups of {@link KINDS}. */
const NAMED: Readonly<Partial<Record<PreferenceGroup, readonly Kind[]>>> = KINDS;

/** Returns the group of a kind. A new kind has to be named above, or this does not compile where it is called. */
export const groupOf = (kind: GroupedKind | StatusKind): PreferenceGroup =>
  PREFERENCE_GROUPS.find((group) => NAMED[group]?.includes(kind)) ?? 'status';

/** Returns whether a notification leaves by every channel of its owner, not only by those of the deployment. */
export const isSecurityNews = (kind: Kind): boolean => groupOf(kind) === 'security';

/** Returns whether a notification leaves however many did so today. */
export const isUnlimited = (kind: Kind): boolean => isSecurityNews(kind) || groupOf(kind) === 'risk';

/** Returns whether a moment lies in quiet hours. A time zone that this platform does not know has none. */
const isQuietAt = (hours: QuietHours, now: Date): boolean =>
  TimeZone.find(hours.time_zone) !== undefined && isOpenAt(hours, now.getTime());

const isLoud = (channel: Channel): boolean => channel === 'push' || channel === 'sms';

/** Returns the channels that an owner wants for a kind at a moment. Security news ignore quiet hours. */
export const wantedChannels = (
  preferences: NotificationPreferences | undefined,
  kind: Kind,
  channels: readonly Channel[],
  now: Date,
): Channel[] => {
  const choice = preferences?.groups[groupOf(kind)];
  const { quiet_hours } = preferences ?? {};
  const isQuiet = quiet_hours !== undefined && !isSecurityNews(kind) && isQuietAt(quiet_hours, now);
  return channels.filter((channel) => choice?.[channel] !== false && !(isQuiet && isLoud(channel)));
};
