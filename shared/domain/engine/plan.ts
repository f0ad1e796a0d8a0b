import type { ResolvedCondition, Test } from './conditions.ts';
import { dependsOnTrade, minuteOf, timeTest, weekdayTest } from './conditions.ts';
import { START } from './group.ts';
import { at } from './memory.ts';
import type { Operands } from './operands.ts';
import type { ResolvedRules } from './rules/params.ts';
import type { Distance, Entry, Size } from './rules/shape.ts';
import type { Run, Signal, Signals } from './signals.ts';
import type { Resolved } from './values/resolved.ts';
import { WEEKDAYS } from './values/weekdays.ts';

/** 1 for long, -1 for short. */
export type Direction = 1 | -1;

/** Distance of a stop or target from a price. */
export interface DistancePlan {
  /** Factors of a percentage; 1 for other types. */
  readonly up: number;
  readonly down: number;
  readonly points: number;
  /** Place of the average true range in the observation; -1 for other types. */
  readonly place: number;
  readonly multiple: number;
}

/** An entry as an account uses it. */
export interface EntryPlan {
  readonly side: Direction;
  readonly signal: Signal;
  readonly kind: 'market' | 'limit' | 'stop';
  /** Distance of the order's price from the close of the signal bar, as a part of it: above it for longs, below for shorts. */
  readonly offset: number;
  /** Bars after the signal on which the order can fill. */
  readonly validBars: number;
  readonly size: Resolved<Size>;
  readonly stopLoss: DistancePlan | undefined;
  readonly takeProfit: DistancePlan | undefined;
  readonly trailingStop: DistancePlan | undefined;
}

/** An exit as an account uses it. */
interface ExitPlan {
  readonly side: Direction;
  readonly signal: Signal;
  readonly portion: number;
}

/** Decisions of the rules, without the settings of an account. */
export interface TradingPlan {
  readonly entries: readonly EntryPlan[];
  readonly exits: readonly ExitPlan[];
  readonly runs: readonly Run[];
  /** Session in which entries are placed; undefined for any time. */
  readonly filter: Test | undefined;
  readonly reverse: boolean;
  readonly pyramid: boolean;
  readonly maxTrades: number;
  readonly cooldownBars: number;
  readonly squaresOff: boolean;
  /** True if a trade may have a stop or a target, and whether its stop may move. */
  readonly hasStops: boolean;
  readonly trails: boolean;
  /** True if a condition depends on an open trade, so that no observation alone tells that nothing is to be decided. */
  readonly dependsOnTrade: boolean;
}

const PERCENT = 100;

/** Provides places of average true ranges in the observation. */
export type AtrPlace = (length: number) => number;

const NO_DISTANCE: DistancePlan = { up: 1, down: 1, points: 0, place: -1, multiple: 0 };

const distancePlan = (distance: Resolved<Distance>, atrPlace: AtrPlace): DistancePlan => {
  switch (distance.type) {
    case 'percent':
      return {
        ...NO_DISTANCE,
        up: 1 + distance.percent / PERCENT,
        down: 1 - distance.percent / PERCENT,
      };
    case 'points':
      return { ...NO_DISTANCE, points: distance.points };
    case 'atr':
      return { ...NO_DISTANCE, place: atrPlace(distance.length), multiple: distance.multiple };
  }
};

/** Returns the points of a distance at an observation; 0 for a percentage. */
export const pointsOf = ({ place, points, multiple }: DistancePlan, observation: Float64Array): number =>
  place < 0 ? points : at(observation, place) * multiple;

/**
 * Returns the price at a distance above (`sign` 1) or below (-1) another. A percentage of a price below zero is one of
 * its absolute value.
 */
export const priceAtDistance = (
  { up, down }: DistancePlan,
  points: number,
  basis: number,
  sign: number,
): number => basis * (sign > 0 === basis >= 0 ? up : down) + sign * points;

/** Returns whether an entry may be placed at the close of a bar; undefined if always. */
const sessionFilter = (operands: Operands, { session }: ResolvedRules): Test | undefined => {
  if (!session) return undefined;
  const tests: Test[] = [];
  if (session.weekdays.length < WEEKDAYS.length) tests.push(weekdayTest(operands, session.weekdays));
  if (session.entries) tests.push(timeTest(operands, session.entries));
  if (session.square_off !== undefined) tests.push(beforeSquareOff(operands, session.square_off));
  return tests.length === 0 ? undefined : (m) => tests.every((test) => test(m));
};

/** Tests that a bar starts before the time of squaring off and is not the last of its session. */
const beforeSquareOff = (operands: Operands, time: string): Test => {
  const slot = operands.localTime();
  const from = minuteOf(time);
  const { closesWith } = operands.time.periods(operands.timeframe, '1d');
  const { bar } = operands.base;
  return (m) => at(m, slot) < from && !closesWith(at(m, bar));
};

const sideOf = (side: 'long' | 'short'): Direction => (side === 'long' ? 1 : -1);

const entryPlan = (
  entry: Resolved<Entry>,
  addSignal: (condition: ResolvedCondition, side: Direction) => Signal,
  atrPlace: AtrPlace,
): EntryPlan => {
  const side = sideOf(entry.side);
  const offset = (distance: Resolved<Distance> | undefined) => distance && distancePlan(distance, atrPlace);
  const price = entry.limit ?? entry.stop;
  return {
    side,
    signal: addSignal(entry.when, side),
    kind: entry.limit ? 'limit' : entry.stop ? 'stop' : 'market',
    offset: (price?.percent ?? 0) / PERCENT,
    validBars: entry.valid_bars ?? Number.POSITIVE_INFINITY,
    size: entry.size,
    stopLoss: offset(entry.stop_loss),
    takeProfit: offset(entry.take_profit),
    trailingStop: offset(entry.trailing_stop),
  };
};

/** Compiles the decisions of rules. */
export const tradingPlan = (
  rules: ResolvedRules,
  operands: Operands,
  signals: Signals,
  atrPlace: AtrPlace,
): TradingPlan => {
  const filter = sessionFilter(operands, rules);
  if (filter) operands.read.add(operands.base.bar + START);
  const addEntry = (condition: ResolvedCondition, side: Direction) => signals.add(condition, side, filter);
  return {
    entries: rules.entries.map((entry) => entryPlan(entry, addEntry, atrPlace)),
    exits: rules.exits.map((exit) => {
      const side = sideOf(exit.side);
      return { side, signal: signals.add(exit.when, side), portion: exit.portion };
    }),
    runs: signals.runs,
    filter,
    reverse: rules.reverse,
    pyramid: rules.pyramid,
    maxTrades: rules.max_trades,
    cooldownBars: rules.cooldown_bars,
    hasStops: rules.entries.some((entry) => entry.stop_loss || entry.take_profit || entry.trailing_stop),
    trails: rules.entries.some((entry) => entry.trailing_stop),
    squaresOff: rules.session?.square_off !== undefined,
    dependsOnTrade: [...rules.entries, ...rules.exits].some(({ when }) => dependsOnTrade(when)),
  };
};
