import { TimeZone } from '../../domain/candles/time-zone.ts';
import type {
  NotificationPreferences,
  PreferenceGroup,
  QuietHours,
} from '../../domain/deployments/notification-preferences.ts';
import type { Channel } from '../../domain/deployments/signals.ts';
import { isOpenAt } from '../../domain/risk/hours.ts';
import type { Notification } from './notifications.ts';

type Kind = Notification['kind'];

/** Group of each kind. */
export const GROUP_OF: Readonly<Record<Kind, PreferenceGroup>> = {
  signal_buy: 'signals',
  signal_sell: 'signals',
  scanner_match: 'signals',
  entry_filled: 'fills',
  exit_filled: 'fills',
  stop_loss_hit: 'fills',
  target_hit: 'fills',
  cycle_completed: 'fills',
  entry_cancelled: 'orders',
  order_rejected: 'orders',
  order_unknown: 'orders',
  deployment_started: 'status',
  deployment_expired: 'status',
  deployment_stopped: 'status',
  deployment_error: 'status',
  deployment_paused: 'status',
  deployment_resumed: 'status',
  deployment_halted: 'status',
  webhook_disabled: 'status',
  mail_stopped: 'status',
  other: 'status',
  risk_warning: 'risk',
  risk_tripped: 'security',
  kill_switch: 'security',
  hold_ignored: 'security',
  execution_connected: 'security',
  broker_disconnected: 'security',
  token_expiring: 'security',
  mail_ended: 'security',
};

/** Returns whether a notification leaves by every channel of its owner, not only by those of the deployment. */
export const isSecurityNews = (kind: Kind): boolean => GROUP_OF[kind] === 'security';

/** Returns whether a notification leaves however many did so today. */
export const isUnlimited = (kind: Kind): boolean => isSecurityNews(kind) || GROUP_OF[kind] === 'risk';

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
  const choice = preferences?.groups[GROUP_OF[kind]];
  const { quiet_hours } = preferences ?? {};
  const isQuiet = quiet_hours !== undefined && !isSecurityNews(kind) && isQuietAt(quiet_hours, now);
  return channels.filter((channel) => choice?.[channel] !== false && !(isQuiet && isLoud(channel)));
};
