import { HubError } from '../../../shared/api/errors.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import {
  endpointsWrite,
  type WebhookEndpoints,
  type WebhookOwner,
} from '../../../shared/data/webhooks/endpoints.ts';

/** Events that an owner sends by hand: test events, and events again. */
const MOST_A_MINUTE = 60;
const MINUTE_MS = 60_000;

/**
 * Returns the write that counts an event which the owner sends by hand, over all endpoints: nobody floods an address of
 * somebody else, or the table. Its condition fails if the endpoints changed since they were read.
 *
 * @throws HubError rate_limited
 */
export const countedSendWrite = (held: WebhookEndpoints, owner: WebhookOwner, now: Date): Write => {
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  const count = held.manual?.minute === minute ? held.manual.count : 0;
  if (count >= MOST_A_MINUTE) {
    throw new HubError('rate_limited', `At most ${MOST_A_MINUTE} events a minute are sent by hand.`, {
      retryAfterS: Math.ceil(((minute + 1) * MINUTE_MS - now.getTime()) / 1000),
    });
  }
  return endpointsWrite({ ...held, manual: { minute, count: count + 1 } }, owner, held.endpoints);
};
