import { type MailQuota, readMailQuota } from '../channels/mail.ts';
import type { Runtime } from '../runtime.ts';
import { RetryLaterError } from './failures.ts';

/** Part of the daily quota that is kept for codes, which people wait for. */
const FOR_CODES = 0.1;
/** SES answers the question once a second for the whole account. */
const READ_EVERY_MS = 60_000;
/** The quota is that of any 24 hours, so room comes back little by little. */
const HOLD_MS = 15 * 60_000;
/** Longer than the day after which other messages are given up: after a day the whole quota is free again. */
const KEEP_MS = 2 * 24 * 3_600_000;

interface Gauge {
  readonly readAt: number;
  readonly quota: Promise<MailQuota | undefined>;
}

/** Last quota by runtime, as one function delivers many mails. */
const gauges = new WeakMap<Runtime, Gauge>();

const currentQuota = (runtime: Runtime): Promise<MailQuota | undefined> => {
  const now = runtime.clock().getTime();
  const known = gauges.get(runtime);
  if (known && now - known.readAt < READ_EVERY_MS) return known.quota;
  // Without an answer, mails go out: SES refuses those beyond the quota itself.
  const quota = readMailQuota().catch((error: unknown) => {
    const reason = error instanceof Error ? error.name : typeof error;
    runtime.log.warn('the quota of mails is not known', { reason });
    return undefined;
  });
  gauges.set(runtime, { readAt: now, quota });
  return quota;
};

/** Returns the failure of a mail that waits for quota. */
export const heldForQuota = (reason: string): RetryLaterError =>
  new RetryLaterError(reason, HOLD_MS, KEEP_MS);

/** Keeps the last part of the daily quota for codes. @throws RetryLaterError if only that part is left. */
export const requireRoom = async (runtime: Runtime): Promise<void> => {
  const quota = await currentQuota(runtime);
  if (quota && quota.sent >= quota.max * (1 - FOR_CODES)) {
    throw heldForQuota('the rest of the daily quota of mails is for codes');
  }
};
