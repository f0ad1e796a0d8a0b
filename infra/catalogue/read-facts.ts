import type { InstrumentFacts } from '../../shared/domain/instruments/instrument-completion.ts';
import {
  ASSET_CLASSES,
  type AssetClass,
  normaliseSymbol,
  SWAP_CALCULATIONS,
  WEEKDAYS,
} from '../../shared/domain/instruments/instruments.ts';
import { readNumber } from '../../shared/domain/read-number.ts';
import { tidy } from '../../shared/domain/text.ts';
import type { Field, Format } from './formats.ts';

/** A line cannot be imported. The message has the reason. */
export class BadLineError extends Error {}

/** Maps a type of a list to an asset class, or to `skip`. */
export type ClassMap = ReadonlyMap<string, AssetClass | 'skip'>;

/** Options for reading lines. */
export interface Reading {
  readonly format: Format;
  readonly classes: ClassMap;
  /** Prefixes symbols with the name of their exchange. */
  readonly qualify: boolean;
}

export interface Line {
  readonly facts: InstrumentFacts;
  readonly brokerSymbol: string | undefined;
}

const YES_NO: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  1: true,
  false: false,
  no: false,
  0: false,
};

const number = (field: Field, text: string): number => {
  const value = readNumber(text);
  if (value === undefined) throw new BadLineError(`${field} is not a number: ${text}`);
  return value;
};

const oneOf = <const T extends string>(field: Field, values: readonly T[], text: string): T => {
  const value = values.find((one) => one === text.toLowerCase());
  if (value === undefined) throw new BadLineError(`${field} is not one of ${values.join(', ')}: ${text}`);
  return value;
};

const assetClass = (text: string, classes: ClassMap): AssetClass | 'skip' => {
  const type = text.toLowerCase();
  const value = classes.get(type) ?? ASSET_CLASSES.find((one) => one === type);
  if (value !== undefined) return value;
  throw new BadLineError(
    `${text} is not one of the classes ${ASSET_CLASSES.join(', ')}; use --map ${type}=CLASS or --map ${type}=skip`,
  );
};

const yesNo = (field: Field, text: string): boolean => {
  const value = YES_NO[text.toLowerCase()];
  if (value === undefined) throw new BadLineError(`${field} is neither true nor false: ${text}`);
  return value;
};

/** Reads the value of a field. @returns the value by field name, or `skip` if the line is not wanted. */
const factOf = (field: Field, text: string, classes: ClassMap): Partial<InstrumentFacts> | 'skip' => {
  switch (field) {
    case 'symbol': {
      const symbol = normaliseSymbol(text);
      if (symbol === undefined) throw new BadLineError(`this is not a valid symbol: ${text}`);
      return { symbol };
    }
    case 'asset_class': {
      const value = assetClass(text, classes);
      return value === 'skip' ? value : { asset_class: value };
    }
    case 'swap_calculation':
      return { swap_calculation: oneOf(field, SWAP_CALCULATIONS, text) };
    case 'triple_swap_weekday':
      return { triple_swap_weekday: oneOf(field, WEEKDAYS, text) };
    case 'tradable':
      return { tradable: yesNo(field, text) };
    case 'base_currency':
    case 'quote_currency':
      return { [field]: text.toUpperCase() };
    case 'name':
    case 'exchange':
      return { [field]: tidy(text.replace(/[\s\p{Cc}]+/gu, ' ')) };
    case 'broker_symbol':
      return {};
    default:
      return { [field]: number(field, text) };
  }
};

const qualified = (symbol: string, exchange: string | undefined): string => {
  const name = exchange && normaliseSymbol(`${exchange.replace(/\W+/g, '')}:${symbol}`);
  if (!name) throw new BadLineError(`${symbol} cannot be named after its exchange ${exchange ?? '(none)'}`);
  return name;
};

/** Reads a line of a list; undefined if its type is skipped. @throws BadLineError */
export const readLine = (row: Readonly<Record<string, string>>, reading: Reading): Line | undefined => {
  const { format, classes, qualify } = reading;
  let facts: Partial<InstrumentFacts> = { ...format.says };
  let brokerSymbol: string | undefined;
  for (const [header, field] of Object.entries(format.columns)) {
    const text = row[header]?.trim();
    if (!text) continue;
    if (field === 'broker_symbol') brokerSymbol = text;
    const fact = factOf(field, text, classes);
    if (fact === 'skip') return undefined;
    facts = { ...facts, ...fact };
  }
  const { symbol } = facts;
  if (symbol === undefined) throw new BadLineError('the line has no symbol');
  return {
    // The minimum volume is one step by default.
    facts: {
      ...(facts.volume_step !== undefined && { min_volume: facts.volume_step }),
      ...facts,
      symbol: qualify ? qualified(symbol, facts.exchange) : symbol,
    },
    brokerSymbol,
  };
};
