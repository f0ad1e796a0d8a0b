import type * as z from 'zod';
import { type Decimal, decimal, scaled, toText } from '../money.ts';
import { instrumentSchema } from './instrument-records.ts';
import { WEEKDAYS } from './instruments.ts';

/** Time zone and hour at which a trading day of the currency market ends. */
export const ROLLOVER_ZONE = 'America/New_York';
export const ROLLOVER_HOUR = 17;

/** Swap terms of an instrument, as in the catalogue. */
export const swapTermsSchema = instrumentSchema.pick({
  contract_size: true,
  tick_size: true,
  digits: true,
  swap_long: true,
  swap_short: true,
  swap_calculation: true,
  triple_swap_weekday: true,
});

export type SwapTerms = z.output<typeof swapTermsSchema>;

const DAYS_PER_YEAR = 360;
const TRIPLE = 3;

let newYorkHour: Intl.DateTimeFormat | undefined;

/** Returns the format of the hour in New York. Created lazily: the first format of a process costs milliseconds. */
const hourFormat = (): Intl.DateTimeFormat => {
  newYorkHour ??= new Intl.DateTimeFormat('en', {
    timeZone: ROLLOVER_ZONE,
    hour: '2-digit',
    hourCycle: 'h23',
  });
  return newYorkHour;
};

/** Cache of rollover moments: quotes ask for the same few days repeatedly. */
const moments = new Map<string, number>();
const MAX_MOMENTS = 100;

const momentOf = (day: string): number => {
  const summer = Date.parse(`${day}T21:00:00Z`);
  return Number(hourFormat().format(summer)) === ROLLOVER_HOUR ? summer : Date.parse(`${day}T22:00:00Z`);
};

/**
 * Returns the moment of a day's rollover, in milliseconds: 21:00 UTC during daylight saving in New York, else 22:00.
 * Positions at that moment, fills of the same instant included, are held overnight.
 */
export const rolloverAt = (day: string): number => {
  const known = moments.get(day);
  if (known !== undefined) return known;
  if (moments.size >= MAX_MOMENTS) moments.clear();
  const at = momentOf(day);
  moments.set(day, at);
  return at;
};

/** Returns the id under which a symbol's rollover of a day is charged once. */
export const rolloverChargeId = (day: string, symbol: string): string => `rollover:${day}:${symbol}`;

const weekdayOf = (day: string): (typeof WEEKDAYS)[number] | undefined =>
  WEEKDAYS[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7];

/**
 * Returns the nights that a rollover counts. An instrument with a triple-swap weekday counts three that day and none at
 * weekends; others count one night every day.
 */
const nightsOf = ({ triple_swap_weekday }: SwapTerms, day: string): number => {
  const weekday = weekdayOf(day);
  if (triple_swap_weekday === undefined) return 1;
  if (weekday === 'saturday' || weekday === 'sunday') return 0;
  return weekday === triple_swap_weekday ? TRIPLE : 1;
};

/** Returns the size of a pip. Prices with 3 or 5 decimals show tenths of a pip. */
const pipOf = ({ tick_size, digits }: SwapTerms): Decimal =>
  digits === 3 || digits === 5 ? decimal(tick_size).times(10) : decimal(tick_size);

const perNight = (instrument: SwapTerms, rate: number, quantity: Decimal, price: string): Decimal => {
  const units = quantity.times(instrument.contract_size);
  switch (instrument.swap_calculation ?? 'points') {
    case 'pips':
      return units.times(pipOf(instrument)).times(rate);
    case 'points':
      return units.times(instrument.tick_size).times(rate);
    case 'percentage':
      return units.times(decimal(price).abs()).times(rate).div(100).div(DAYS_PER_YEAR);
  }
};

/**
 * Computes the swap of holding a position over a day's rollover, in the quote currency; negative is a charge. Rates in
 * pips or points are price per unit and night; rates in percent apply to the position's value per year of 360 days, as
 * brokers publish them.
 *
 * @returns undefined if nothing is charged: no rate, a zero rate, or no night.
 */
export const swapOf = (
  instrument: SwapTerms,
  position: { readonly side: 'long' | 'short'; readonly quantity: string; readonly price: string },
  day: string,
): string | undefined => {
  const rate = position.side === 'long' ? instrument.swap_long : instrument.swap_short;
  const nights = nightsOf(instrument, day);
  if (rate === undefined || rate === 0 || nights === 0) return undefined;
  const amount = perNight(instrument, rate, decimal(position.quantity), position.price).times(nights);
  return toText(scaled(amount));
};
