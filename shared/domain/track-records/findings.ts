import { type BarColumns, columnsOf } from '../candles/bars.ts';
import { calendarById } from '../candles/calendar.ts';
import { addCandles, NO_FACTS } from '../engine/backtest/candle-facts.ts';
import { firstHash, hashOfDay, hashOfList, partHashes, sealedRules, type UsedBars } from './chain.ts';
import type { DayLine, InputsLine } from './export.ts';

const NO_BARS = columnsOf([]);

/** Names a part of a record that differs from its recomputation. */
type Altered = 'term' | 'date' | 'rules' | 'bar' | 'split' | 'trade' | 'equity' | 'hash';

/** First difference between an export and its recomputation. */
export interface Finding {
  /** Day at which they differ; null: before the first. */
  readonly day: string | null;
  readonly what: Altered;
  readonly message: string;
}

/** Returns a difference. */
export const finding = (day: string | null, what: Altered, message: string): Finding => ({
  day,
  what,
  message,
});

/** Parts of the inputs that are not terms. */
const NAMES: Readonly<Record<string, Altered>> = {
  read_from: 'date',
  started_at: 'date',
  rules_seal: 'rules',
  warm_up: 'bar',
};

/** Verifies that the inputs have the hashes that they name. */
export const checkInputs = ({ inputs, parts, first_hash, disclosed }: InputsLine): Finding | undefined => {
  const hashes = partHashes(inputs);
  for (const [name, hash] of Object.entries(hashes)) {
    if (parts[name] !== hash)
      return finding(null, NAMES[name] ?? 'term', `${name} is not what the record began with`);
  }
  if (firstHash(inputs) !== first_hash) return finding(null, 'hash', 'the hash of the inputs is wrong');
  if (disclosed && sealedRules(disclosed) !== inputs.rules_seal) {
    return finding(null, 'rules', 'the rules are not those that the record is bound to');
  }
  return undefined;
};

/** Verifies that the bars before the start are those that the record read. */
export const checkWarmUp = ({ inputs }: InputsLine, legs: readonly BarColumns[]): Finding | undefined => {
  for (const [index, leg] of inputs.legs.entries()) {
    const kind = {
      calendar: calendarById(leg.calendar),
      timeframe: inputs.timeframe,
      assetClass: leg.asset_class,
    };
    const { digest } = addCandles(NO_FACTS, legs[index] ?? NO_BARS, kind, undefined);
    if (digest !== inputs.warm_up[index]) {
      return finding(null, 'bar', `a bar of ${leg.symbol} before the start is not what the record read`);
    }
  }
  return undefined;
};

/** Verifies that the parts of a day have the hashes that its entry names. */
export const checkParts = (
  line: DayLine,
  legs: readonly BarColumns[],
  used: readonly UsedBars[],
  symbols: readonly string[],
): Finding | undefined => {
  const { entry } = line;
  const bars = symbols.map((symbol, index) => ({ symbol, bars: legs[index] ?? NO_BARS }));
  if (hashOfDay(bars, used) !== entry.bars_hash) {
    return finding(entry.day, 'bar', 'the bars are not those that the record took');
  }
  if (hashOfList(line.splits) !== entry.splits_hash) {
    return finding(entry.day, 'split', 'the splits are not those that the record took');
  }
  if (line.trades && hashOfList(line.trades) !== entry.trades_hash) {
    return finding(entry.day, 'trade', 'the trades are not those that the record made');
  }
  return undefined;
};
