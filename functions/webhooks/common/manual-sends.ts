import { HubError } from '../../../shared/api/errors.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import {
  type EndpointCounts,
  endpointsWrite,
  type WebhookEndpoints,
  type WebhookOwner,
} from '../../../shared/data/webhooks/endpoints.ts';
import { dayOf } from '../../../shared/domain/periods.ts';

/** Events that an owner causes by hand: challenges, test events, and events again. */
const MOST_A_MINUTE = 60;
const MINUTE_MS = 60_000;

/** Each can send all events of 30 days. */
const MOST_REPLAYS_A_DAY = 20;
const DAY_MS = 86_400_000;

/**
 * Counts an event that the owner causes by hand, over all endpoints: nobody floods an address of somebody else, or the
 * table.
 *
 * @throws HubError rate_limited
 */
export const countedSend = (
  held: WebhookEndpoints | undefined,
  now: Date,
): Pick<EndpointCounts, 'manual'> => {
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  const count = held?.manual?.minute === minute ? held.manual.count : 0;
  if (count >= MOST_A_MINUTE) {
    throw new HubError('rate_limited', `At most ${MOST_A_MINUTE} events a minute are sent by hand.`, {
      retryAfterS: Math.ceil(((minute + 1) * MINUTE_MS - now.getTime()) / 1000),
    });
  }
  return { manual: { minute, count: count + 1 } };
};

/**
 * Returns the write that counts an event which the owner sends by hand. Its condition fails if the endpoints changed since
 * they were read.
 *
 * @throws HubError rate_limited
 */
export const countedSendWrite = (held: WebhookEndpoints, owner: WebhookOwner, now: Date): Write =>
  endpointsWrite(held, owner, held.endpoints, countedSend(held, now));

/**
 * Returns the write that counts a replay, over all endpoints of its owner. Its condition fails if the endpoints changed
 * since they were read.
 *
 * @throws HubError rate_limited
 */
export const countedReplayWrite = (held: WebhookEndpoints, owner: WebhookOwner, now: Date): Write => {
  const day = dayOf(now.getTime());
  const count = held.replays?.day === day ? held.replays.count : 0;
  if (count >= MOST_REPLAYS_A_DAY) {
    throw new HubError('rate_limited', `At most ${MOST_REPLAYS_A_DAY} replays begin on a day (UTC).`, {
      retryAfterS: Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000),
    });
  }
  return endpointsWrite(held, owner, held.endpoints, { replays: { day, count: count + 1 } });
};
