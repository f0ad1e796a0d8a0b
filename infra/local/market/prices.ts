import { type Bar, type BarColumns, columnsOf } from '../../../shared/domain/candles/bars.ts';
import { numbers } from '../numbers.ts';
import type { DemoInstrument } from './instruments.ts';

/** Length of a bar of the demo market. */
export const BAR_MS = 60_000;
/** Length of a regime: a calm or nervous time that rises, falls or does neither. */
const REGIME_MS = 45 * BAR_MS;
/** Moves within a bar. */
const STEPS = 6;
/** Part of the distance from the usual price by which a step is drawn back. */
const PULL = 0.0002;
const DRIFT = 0.12;
const CALMEST = 0.5;
const NERVOUSNESS = 1.5;
const TYPICAL_VOLUME = 1000;

/** Starts a row of numbers for an instrument and a moment. The first numbers of neighbouring seeds resemble each other. */
const numbersAt = (seed: number, moment: number): (() => number) => {
  const next = numbers(Math.imul(moment + 1, 2_654_435_761) ^ Math.imul(seed, 40_503));
  next();
  next();
  return next;
};

/** Returns a number near zero: the sum of three uniform ones has nearly a normal distribution. */
const bell = (next: () => number): number => (next() + next() + next()) * 2 - 3;

/**
 * Returns the bar of the demo market after another: a random walk with regimes. The same instrument, start and close
 * before always give the same bar.
 *
 * @param close of the bar before.
 */
export const nextBar = (instrument: DemoInstrument, start: number, close: number): Bar => {
  const { seed, price: usual, volatility, tick_size: tick } = instrument;
  const regime = numbersAt(seed, Math.floor(start / REGIME_MS));
  const drift = (Math.floor(regime() * 3) - 1) * DRIFT;
  const nerves = CALMEST + regime() * NERVOUSNESS;
  const next = numbersAt(seed + 1, Math.floor(start / BAR_MS));
  const move = (volatility * nerves) / Math.sqrt(STEPS);
  // Prices are whole ticks, so that their decimals are few.
  const digits = Math.max(0, Math.ceil(-Math.log10(tick)));
  const rounded = (price: number): number =>
    Number((Math.max(1, Math.round(price / tick)) * tick).toFixed(digits));
  let price = close;
  let high = close;
  let low = close;
  for (let step = 0; step < STEPS; step += 1) {
    price *= 1 + move * (bell(next) + drift) + PULL * Math.log(usual / price);
    high = Math.max(high, price);
    low = Math.min(low, price);
  }
  return {
    start,
    open: rounded(close),
    high: rounded(high),
    low: rounded(low),
    close: rounded(price),
    volume: Math.round(TYPICAL_VOLUME * nerves * (0.5 + next())),
  };
};

/** Returns the bars of the demo market before a moment. */
export const pastBars = (instrument: DemoInstrument, end: number, count: number): BarColumns => {
  const bars: Bar[] = [];
  let { price: close } = instrument;
  for (let start = end - count * BAR_MS; start < end; start += BAR_MS) {
    const bar = nextBar(instrument, start, close);
    bars.push(bar);
    close = bar.close;
  }
  return columnsOf(bars);
};
