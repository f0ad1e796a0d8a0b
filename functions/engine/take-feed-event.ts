import * as z from 'zod';
import type { Runtime } from '../../shared/runtime.ts';
import { BAR_EVENT_TYPES, parseBarEvent } from './bar-events.ts';
import { takeBars } from './take-bars.ts';
import { takeWatermark } from './take-watermark.ts';

const envelope = z.object({ 'detail-type': z.string() });

/** Returns whether an event of the bus is one of a feed. */
export const isFeedEvent = (raw: unknown): boolean => {
  const { data } = envelope.safeParse(raw);
  return data !== undefined && BAR_EVENT_TYPES.includes(data['detail-type']);
};

/**
 * Takes an event of a feed.
 *
 * @throws MalformedEventError for one that no retry makes good.
 * @throws EarlyBarError
 */
export const takeFeedEvent = async (
  runtime: Runtime,
  raw: unknown,
  context: Parameters<typeof takeBars>[2] & Parameters<typeof takeWatermark>[2],
): Promise<void> => {
  const given = parseBarEvent(raw);
  await ('through' in given ? takeWatermark(runtime, given, context) : takeBars(runtime, given, context));
};
