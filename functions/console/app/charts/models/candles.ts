import type { TimeAxis } from './time-axis.ts';

/** Candle of an instrument. */
export interface ChartCandle {
  /** Start of the bar. ISO-8601. */
  readonly start: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume?: number;
}

/** Line of an indicator, with a value for each candle. */
export interface IndicatorLine {
  readonly label: string;
  /** 0 for a line over the candles, else the number of the pane below. */
  readonly pane: number;
  /** Place among all lines, for its colour and style. */
  readonly place: number;
  /** Levels that conditions compare the line with. */
  readonly levels: readonly number[];
  readonly values: readonly (number | null)[];
}

/** Trade that is drawn on candles. */
export interface ChartTrade {
  readonly side: 'long' | 'short';
  readonly entry_at: string;
  readonly entry_price: number;
  /** Absent or null for an open trade. */
  readonly exit_at?: string | null | undefined;
  readonly exit_price?: number | null | undefined;
  /** Number of the trade, for its markers. */
  readonly number?: number | undefined;
  /** Result in percent points. */
  readonly return_pct?: number | null | undefined;
  readonly stop_loss?: number | null | undefined;
  readonly take_profit?: number | null | undefined;
}

/** Mark of an entry or exit at a bar. */
export interface TradeMarker {
  /** Time of the chart. */
  readonly time: number;
  /** Entries and exits that buy are below the bar and point up; those that sell are above it. */
  readonly action: 'buy' | 'sell';
  readonly isEntry: boolean;
  /** Gain or loss of the trade, for the colour of an exit. */
  readonly tone: 'gain' | 'loss' | 'plain';
  readonly text: string;
}

const ACTIONS = {
  long: { entry: 'buy', exit: 'sell' },
  short: { entry: 'sell', exit: 'buy' },
} as const;

const WORDS = { buy: 'Buy', sell: 'Sell' } as const;

const toneOf = (points: number | null | undefined): TradeMarker['tone'] => {
  if (points === null || points === undefined || points === 0) return 'plain';
  return points > 0 ? 'gain' : 'loss';
};

/**
 * Returns the markers of trades on candles, in the order of time. Entries and exits outside of the candles are left out.
 *
 * @param lengthMs length of a bar: a fill within the last bar has a marker.
 */
export const markersOf = (
  trades: readonly ChartTrade[],
  candles: readonly ChartCandle[],
  axis: TimeAxis,
  lengthMs: number,
  percentText: (points: number) => string,
): TradeMarker[] => {
  const end = Date.parse(candles.at(-1)?.start ?? '') + lengthMs;
  const timeAt = (moment: string | null | undefined): number | undefined => {
    const millis = Date.parse(moment ?? '');
    return millis < end ? axis.secondsAt(millis) : undefined;
  };
  const markers = trades.flatMap(({ side, number, entry_at, exit_at, return_pct }): TradeMarker[] => {
    const { entry, exit } = ACTIONS[side];
    const name = number === undefined ? '' : ` ${number}`;
    const [opened, closed] = [timeAt(entry_at), timeAt(exit_at)];
    const result = return_pct === null || return_pct === undefined ? '' : ` ${percentText(return_pct)}`;
    return [
      ...(opened === undefined
        ? []
        : [
            {
              time: opened,
              action: entry,
              isEntry: true,
              tone: 'plain',
              text: `${WORDS[entry]}${name}`,
            } as const,
          ]),
      ...(closed === undefined
        ? []
        : [
            {
              time: closed,
              action: exit,
              isEntry: false,
              tone: toneOf(return_pct),
              text: `${WORDS[exit]}${name}${result}`,
            } as const,
          ]),
    ];
  });
  return markers.sort((left, right) => left.time - right.time);
};

const MINUTE_MS = 60_000;

/** Lengths of bars, shortest first. */
const LENGTHS = [
  ['1m', MINUTE_MS],
  ['3m', 3 * MINUTE_MS],
  ['5m', 5 * MINUTE_MS],
  ['15m', 15 * MINUTE_MS],
  ['30m', 30 * MINUTE_MS],
  ['1h', 60 * MINUTE_MS],
  ['4h', 240 * MINUTE_MS],
  ['1d', 1440 * MINUTE_MS],
  ['1w', 10_080 * MINUTE_MS],
] as const;

export type Timeframe = (typeof LENGTHS)[number][0];

const LONGEST = LENGTHS[8];

/** Returns the length of a bar in milliseconds. */
export const lengthOf = (timeframe: Timeframe): number =>
  (LENGTHS.find(([name]) => name === timeframe) ?? LONGEST)[1];
