import { type Deployment, isHubRun } from '../data/deployments/deployments.ts';
import type { Notification } from '../data/deployments/notification.ts';
import { isSecurityNews, isUnlimited } from '../data/deployments/notification-groups.ts';
import { withinLimits } from '../domain/deployments/daily-limits.ts';
import { isOldBar } from '../domain/deployments/engines.ts';
import { CHANNELS, type Channel } from '../domain/deployments/signal-frequency.ts';

type Kind = Notification['kind'];

/** Change of a deployment that notifies its owner. */
interface News {
  readonly deployment: Deployment;
  readonly notifications: readonly {
    readonly kind: Kind;
    readonly data?: Readonly<Record<string, unknown>>;
  }[];
  /** True if a user decides how often it happens. */
  readonly isOfUser?: boolean;
  /** Start of the bar that caused the change, if one did. */
  readonly at?: Date;
}

interface Leaving {
  readonly channelsFor: (kind: Kind) => readonly Channel[];
  /** Notifications that left today; undefined if nothing is counted. */
  readonly sent: Deployment['sent'];
}

/**
 * Returns whether news is of an old bar, for example of a replay, and stays in the app's list. The time of the demo
 * market is never that of the clock.
 */
const isOldNews = ({ is_demo, timeframe }: Deployment, at: Date | undefined, now: Date): boolean =>
  at !== undefined && !is_demo && isOldBar(timeframe, at, now);

/** Returns the channels of a deployment. Scanners push to every device of their owner. */
const channelsOf = (deployment: Deployment): Channel[] =>
  deployment.kind === 'scanner' ? ['push'] : deployment.channels;

/**
 * Returns whether all news is of commands that the owner gave. Without real orders they need no session, so a holder of the
 * `user_id` could send any number of mails with any text.
 */
const isOwnCommand = ({ deployment, notifications }: News): boolean =>
  (deployment.kind !== 'live' || deployment.mode !== 'live') &&
  notifications.length > 0 &&
  notifications.every(({ data }) => data?.by === 'user');

/**
 * Returns the channels by which the notifications of a change leave, by kind. Rules of users decide how many a
 * deployment of the hub has, and users how many signals they send, so e-mails and text messages are limited. News of its status and of risk always leave;
 * security news leaves by every channel, the owner's own commands are only pushed. The preferences of the owner apply afterwards.
 */
export const leavingOf = (before: Deployment, news: News, now: Date): Leaving => {
  const { at, deployment, notifications, isOfUser = false } = news;
  const isOld = isOldNews(before, at, now);
  const wanted = isOld ? [] : channelsOf(before);
  const channels = isOwnCommand(news) ? wanted.filter((channel) => channel === 'push') : wanted;
  const isLimited = isHubRun(before) || isOfUser;
  const isFree = !isLimited || deployment.status !== before.status;
  const count = notifications.filter(({ kind }) => !isUnlimited(kind)).length;
  const limited = isFree
    ? { channels, sent: undefined }
    : withinLimits(channels, { before: before.sent, count, now });
  return {
    channelsFor: (kind) => {
      if (isSecurityNews(kind)) return isOld ? [] : CHANNELS;
      return isUnlimited(kind) ? channels : limited.channels;
    },
    sent: limited.sent,
  };
};

interface Part {
  readonly notifications: Notification[];
  readonly channels: Channel[];
}

/** Splits notifications by the channels by which they leave; mostly all have the same. */
export const byChannels = (
  notifications: readonly Notification[],
  channelsFor: Leaving['channelsFor'],
): Part[] => {
  const parts = new Map<string, Part>();
  for (const notification of notifications) {
    const channels = [...channelsFor(notification.kind)];
    const part = parts.get(channels.join()) ?? { channels, notifications: [] };
    part.notifications.push(notification);
    parts.set(channels.join(), part);
  }
  return [...parts.values()];
};
