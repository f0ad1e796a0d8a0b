import { dayOf } from '../periods.ts';
import type { Channel } from './signal-frequency.ts';

/** Deployments of a user that the hub began to run on a day (UTC), ended ones included. */
export interface Starts {
  readonly day: string;
  readonly count: number;
}

/** Returns the count of a user after another start. */
export const oneMoreStart = (before: Starts | undefined, now: Date): Starts => {
  const day = dayOf(now.getTime());
  // A newer version may have written more fields.
  return { ...before, day, count: (before?.day === day ? before.count : 0) + 1 };
};

/** Notifications of a deployment that left on a day (UTC) by channels that cost the service money. */
export interface Sent {
  readonly day: string;
  readonly email: number;
  readonly sms: number;
}

/** The most notifications a day of a deployment by channel. Rules can raise a signal at each bar of a minute. */
const LIMITS = { email: 100, sms: 20 } as const;

const isLimited = (channel: Channel): channel is keyof typeof LIMITS => Object.hasOwn(LIMITS, channel);

/**
 * Returns the channels by which further notifications leave today, and what left with them.
 *
 * @param before counts so far; undefined if nothing left.
 */
export const withinLimits = (
  channels: readonly Channel[],
  { before, count, now }: { readonly before: Sent | undefined; readonly count: number; readonly now: Date },
): { readonly channels: Channel[]; readonly sent: Sent | undefined } => {
  const day = dayOf(now.getTime());
  const sent = before?.day === day ? before : { ...before, day, email: 0, sms: 0 };
  const open = channels.filter((channel) => !isLimited(channel) || sent[channel] + count <= LIMITS[channel]);
  if (count === 0 || !open.some(isLimited)) return { channels: open, sent: before };
  const leaving = (channel: Channel): number => (open.includes(channel) ? count : 0);
  return {
    channels: open,
    // A newer version may have written more fields.
    sent: { ...sent, email: sent.email + leaving('email'), sms: sent.sms + leaving('sms') },
  };
};
