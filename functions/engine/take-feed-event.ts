import * as z from 'zod';
import { MalformedEventError } from '../../shared/domain/malformed-event.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { EarlyBarError, LAST_ATTEMPT_MS } from './await-previous.ts';
import {
  againOf,
  BAR_EVENT_TYPES,
  type GivenBars,
  type GivenSplit,
  parseBarEvent,
  type WatermarkEvent,
} from './bar-events.ts';
import { takeBars } from './take-bars.ts';
import { takeWatermark } from './take-watermark.ts';

const envelope = z.object({ 'detail-type': z.string() });

/** Returns whether an event of the bus is one of a feed. */
export const isFeedEvent = (raw: unknown): boolean => {
  const { data } = envelope.safeParse(raw);
  return data !== undefined && BAR_EVENT_TYPES.includes(data['detail-type']);
};

/** Runs the scanners whose bars a watermark completes. */
type Scan = (given: WatermarkEvent) => Promise<void>;

/**
 * Takes a watermark: closes derived bars, then runs scanners, even if a series failed.
 *
 * @throws MalformedEventError
 */
const takeComplete = async (
  runtime: Runtime,
  given: WatermarkEvent,
  { scan, ...context }: Parameters<typeof takeWatermark>[2] & { readonly scan: Scan },
): Promise<void> => {
  // The hub itself says when scanners of the feeds that it pulls are due.
  const isScanned = !(given.isOwn && given.symbols);
  try {
    await takeWatermark(runtime, given, context);
  } catch (error) {
    if (isScanned && !(error instanceof MalformedEventError)) await scan(given);
    throw error;
  }
  if (isScanned) await scan(given);
};

/** Puts an event of the hub on the bus. */
type SendAgain = (detailType: string, detail: Readonly<Record<string, unknown>>) => Promise<void>;

/** Takes bars of a feed. Sends those again that have to wait after the last attempt. */
const takeInTurn = async (
  runtime: Runtime,
  given: GivenBars,
  raw: unknown,
  { sendAgain, ...context }: Parameters<typeof takeBars>[2] & { readonly sendAgain: SendAgain },
): Promise<void> => {
  try {
    await takeBars(runtime, given, context);
  } catch (error) {
    const isLastAttempt = runtime.clock().getTime() - given.sentAt >= LAST_ATTEMPT_MS;
    if (!(error instanceof EarlyBarError && isLastAttempt)) throw error;
    const { detailType, detail } = againOf(raw, given);
    await sendAgain(detailType, detail);
  }
};

/**
 * Takes an event of a feed.
 *
 * @throws MalformedEventError for one that no retry makes good.
 * @throws EarlyBarError
 * @throws SplitPendingError
 */
export const takeFeedEvent = async (
  runtime: Runtime,
  raw: unknown,
  context: Parameters<typeof takeInTurn>[3] &
    Parameters<typeof takeComplete>[2] & { readonly takeSplit: (given: GivenSplit) => Promise<void> },
): Promise<void> => {
  const given = parseBarEvent(raw);
  if ('split' in given) return context.takeSplit(given);
  if ('through' in given) return takeComplete(runtime, given, context);
  await takeInTurn(runtime, given, raw, context);
};
