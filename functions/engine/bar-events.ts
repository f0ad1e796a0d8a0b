import * as z from 'zod';
import { ANCHORS, type Anchor, isOpening } from '../../shared/domain/candles/anchor.ts';
import type { Bar } from '../../shared/domain/candles/bars.ts';
import { HUB_SOURCE } from '../../shared/domain/deployments/event-source.ts';
import { takenNumbers } from '../../shared/domain/digits.ts';
import { MalformedEventError, malformed } from '../../shared/domain/malformed-event.ts';
import { symbolInput } from '../../shared/domain/orders/name-inputs.ts';
import { parseRatio } from '../../shared/domain/splits/ratio.ts';
import type { SeriesSplit } from '../../shared/domain/splits/split-bars.ts';
import { TIMEFRAMES } from '../../shared/domain/strategies/strategies.ts';
import { momentInput } from '../../shared/domain/time-inputs.ts';

/** Bars that one event can hold. */
const MAX_BARS = 500;
/** Symbols that one watermark can name. */
const MAX_SYMBOLS = 500;

const barInput = z.object({
  start: momentInput,
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.number(),
});

const common = {
  version: z.literal(1),
  timeframe: z.enum(TIMEFRAMES),
  /** Only in events of the hub: the feed from which it pulled the bars. */
  feed: z
    .string()
    .regex(/^[A-Za-z0-9._/-]{1,128}$/)
    .optional(),
} as const;

const series = {
  ...common,
  symbol: symbolInput,
  /** Start of the bar before. */
  previous: momentInput.optional(),
  anchor: z.enum(ANCHORS).optional(),
  /** Local time at which sessions regularly open, for the anchor `session`. */
  session_open: z
    .string()
    .refine(isOpening, { error: 'value is not a multiple of five minutes such as 09:15' })
    .optional(),
  /** Only in events of the hub: the time at which the bus first took bars that it sends again. */
  first_sent_at: momentInput.optional(),
} as const;

const ratioInput = z
  .string()
  .transform((text) => parseRatio(text))
  .refine((ratio) => ratio !== undefined, { error: 'value is not a ratio such as 4:1' });

const event = <T extends string, D extends z.ZodObject>(type: T, detail: D) =>
  z.object({
    'detail-type': z.literal(type),
    source: z.string().min(1).max(256),
    /** Time at which the bus took the event. */
    time: momentInput,
    detail,
  });

const barEvent = z.discriminatedUnion('detail-type', [
  event('Bar Closed', z.object({ ...series, ...barInput.shape })),
  // Each bar is parsed on its own, so that a bad one does not take the others with it.
  event('Bars Closed', z.object({ ...series, bars: z.array(z.unknown()).min(1).max(MAX_BARS) })),
  event(
    'Bars Complete',
    z.object({
      ...common,
      through: momentInput,
      symbols: z.array(symbolInput).min(1).max(MAX_SYMBOLS).optional(),
    }),
  ),
  event(
    'Split Declared',
    z.object({
      version: z.literal(1),
      symbol: symbolInput,
      ratio: ratioInput,
      /** Start of the first bar in new units. */
      at: momentInput,
      /** By default all series of the source. */
      timeframe: z.enum(TIMEFRAMES).optional(),
    }),
  ),
]);

type BarEvent = z.output<typeof barEvent>;
type SplitEvent = Extract<BarEvent, { 'detail-type': 'Split Declared' }>;

/** Detail types of the events of feeds. */
export const BAR_EVENT_TYPES: readonly string[] = barEvent.options.map(
  (option) => option.shape['detail-type'].value,
);

/** A bar of a feed, or the reason why it is none. */
export type GivenBar = Bar | { readonly reason: string };

/** Anchor that a feed declares for its bars. */
export interface DeclaredAnchor {
  readonly anchor: Anchor;
  /** Local time at which sessions regularly open; undefined if the feed does not name it. */
  readonly opening: string | undefined;
}

/** Bars of a series that a feed sent together. */
export interface GivenBars extends Pick<z.output<z.ZodObject<typeof series>>, 'symbol' | 'timeframe'> {
  /** Name of the feed. */
  readonly source: string;
  /** true if the hub itself sent the event. */
  readonly isOwn: boolean;
  /** Time at which the bus took the bars, in epoch milliseconds. */
  readonly at: number;
  /** Time at which the bus took this event: later, if the hub sends the bars again. */
  readonly sentAt: number;
  /** Start of the bar before the first. */
  readonly previous: number | undefined;
  /** undefined if the feed declares none. */
  readonly declared: DeclaredAnchor | undefined;
  readonly bars: readonly GivenBar[];
}

/** A feed's word that all bars of a timeframe that start before `through` were sent. */
export interface GivenWatermark {
  readonly source: string;
  readonly timeframe: GivenBars['timeframe'];
  readonly through: number;
  /** undefined for all symbols of the feed. */
  readonly symbols: readonly string[] | undefined;
}

/** A watermark as it arrived. */
export interface WatermarkEvent extends GivenWatermark {
  /** true if the hub itself sent the event. */
  readonly isOwn: boolean;
  /** Time at which the bus took the event, in epoch milliseconds. */
  readonly at: number;
}

/** A split of a symbol that a feed declares. */
export interface GivenSplit {
  readonly source: string;
  /** true if the hub itself sent the event. */
  readonly isOwn: boolean;
  readonly symbol: string;
  /** undefined for all series of the source. */
  readonly timeframe: GivenBars['timeframe'] | undefined;
  readonly split: SeriesSplit;
}

/** @throws MalformedEventError for a field of the hub's own events in one of a feed. */
const requireHub = (source: string, field: string, value: unknown): void => {
  if (value === undefined || source === HUB_SOURCE) return;
  throw new MalformedEventError(`detail.${field}: is for events of the hub`);
};

const sourceOf = ({ source, detail: { feed } }: Exclude<BarEvent, SplitEvent>): string => {
  requireHub(source, 'feed', feed);
  return feed ?? source;
};

/** @throws MalformedEventError for an opening without the anchor that it belongs to. */
const declaredIn = ({
  anchor,
  session_open: opening,
}: {
  readonly anchor?: Anchor | undefined;
  readonly session_open?: string | undefined;
}): DeclaredAnchor | undefined => {
  if (opening !== undefined && anchor !== 'session') {
    throw new MalformedEventError('detail.session_open: needs the anchor session');
  }
  return anchor && { anchor, opening };
};

const parseBar = (given: unknown): GivenBar => {
  const { success, data, error } = barInput.safeParse(given);
  return success ? data : { reason: malformed(error, given).message };
};

const rawEvent = z.object({ 'detail-type': z.string(), detail: z.record(z.string(), z.unknown()) });

/** Returns the event of the hub that sends the bars of an event again. */
export const againOf = (raw: unknown, { source, at }: Pick<GivenBars, 'source' | 'at'>) => {
  const { 'detail-type': detailType, detail } = rawEvent.parse(raw);
  return { detailType, detail: { ...detail, feed: source, first_sent_at: new Date(at).toISOString() } };
};

/**
 * Reads an event of a feed.
 *
 * @throws MalformedEventError with every problem, none of the values
 */
export const parseBarEvent = (raw: unknown): GivenBars | WatermarkEvent | GivenSplit => {
  const { success, data, error } = barEvent.safeParse(takenNumbers(raw));
  if (!success) throw malformed(error, raw);
  if (data['detail-type'] === 'Split Declared') {
    const { symbol, timeframe, ratio, at } = data.detail;
    return {
      source: data.source,
      isOwn: data.source === HUB_SOURCE,
      symbol,
      timeframe,
      split: { ...ratio, at },
    };
  }
  const source = sourceOf(data);
  if (data['detail-type'] === 'Bars Complete') {
    const { timeframe, through, symbols } = data.detail;
    const isOwn = data.source === HUB_SOURCE;
    return { source, at: data.time, isOwn, timeframe, through, symbols };
  }
  const { symbol, timeframe, previous, first_sent_at } = data.detail;
  requireHub(data.source, 'first_sent_at', first_sent_at);
  const { time: sentAt } = data;
  const own = {
    source,
    symbol,
    timeframe,
    previous,
    declared: declaredIn(data.detail),
    at: first_sent_at ?? sentAt,
    sentAt,
    isOwn: data.source === HUB_SOURCE,
  };
  if (data['detail-type'] === 'Bars Closed') return { ...own, bars: data.detail.bars.map(parseBar) };
  const { start, open, high, low, close, volume } = data.detail;
  return { ...own, bars: [{ start, open, high, low, close, volume }] };
};
