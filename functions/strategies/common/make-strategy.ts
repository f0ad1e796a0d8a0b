import * as z from 'zod';
import type { Call } from '../../../shared/api/call.ts';
import { HubError, type ValidationError } from '../../../shared/api/errors.ts';
import { invalidValue } from '../../../shared/api/refusals.ts';
import type { ValidationDetail } from '../../../shared/api/validation-detail.ts';
import { MAX_STRATEGIES } from '../../../shared/data/strategies/owned-strategies.ts';
import { NO_PERFORMANCE, type Strategy } from '../../../shared/data/strategies/strategies.ts';
import type { Items } from '../../../shared/data/table/items.ts';
import { parseItem } from '../../../shared/data/table/parse-item.ts';
import type { User } from '../../../shared/data/users/users.ts';
import { type Instrument, instrumentSchema } from '../../../shared/domain/instruments/instrument-records.ts';
import { normaliseSymbol } from '../../../shared/domain/instruments/instruments.ts';
import { publicName } from '../../../shared/domain/public-names.ts';
import { assetClassOf, equalLegs, TIMEFRAMES } from '../../../shared/domain/strategies/strategies.ts';
import { deployKey, shareKey } from '../../../shared/domain/strategies/strategy-keys.ts';
import { readableText, tidy } from '../../../shared/domain/text.ts';
import { integerId } from '../../../shared/ids.ts';

/** Largest number of instruments of a strategy. */
export const MAX_SYMBOLS = 20;

export const strategyName = () => publicName({ max: 100 });
export const strategyDescription = () => readableText({ max: 2000 });
export const timeframe = () => z.enum(TIMEFRAMES);

type Loc = ValidationDetail['loc'];
const SYMBOL: Loc = ['query', 'symbol'];

const unknownSymbol = (loc: Loc, msg: string): ValidationError =>
  invalidValue(loc, msg, 'value_error.symbol');

/** Reads symbols; repeats count once. @throws ValidationError */
export const readSymbols = (texts: readonly string[], loc: Loc): string[] => {
  const symbols = new Set<string>();
  for (const text of texts) {
    const symbol = normaliseSymbol(text);
    if (symbol === undefined) throw unknownSymbol(loc, 'a symbol is missing or malformed');
    symbols.add(symbol);
  }
  if (symbols.size > MAX_SYMBOLS) {
    throw unknownSymbol(loc, `ensure this value has at most ${MAX_SYMBOLS} symbols`);
  }
  return [...symbols];
};

/** Reads one or several symbols of a query, separated by commas. @throws ValidationError */
export const parseSymbols = (text: string): string[] => readSymbols(text.split(','), SYMBOL);

/**
 * Parses the instruments that were read for symbols.
 *
 * @throws ValidationError for an unknown one
 */
export const knownInstruments = (items: Items, loc: Loc = SYMBOL): Instrument[] =>
  items.map((item) => {
    if (!item) throw unknownSymbol(loc, 'symbol is not known');
    return parseItem(instrumentSchema, item);
  });

interface Making {
  readonly owner: User;
  readonly name: string;
  readonly instruments: readonly Pick<Instrument, 'symbol' | 'asset_class'>[];
  readonly timeframe: Strategy['timeframe'];
  readonly brokerId?: number | undefined;
}

/** Makes a new strategy with its first preferences. */
export const newStrategy = (call: Call, making: Making): Strategy => {
  const { owner, name, instruments, brokerId } = making;
  const id = integerId(call.now, call.random);
  const symbols = instruments.map(({ symbol }) => symbol);
  const at = call.now.toISOString();
  return {
    strategy_id: id,
    strategy_key: shareKey(id, call.random),
    keygen: deployKey(id, call.random),
    user_id: owner.user_id,
    user_key: owner.user_key,
    author_name: owner.name,
    author_avatar_url: owner.avatar_url,
    strategy_name: tidy(name),
    symbols,
    timeframe: making.timeframe,
    broker_id: brokerId,
    asset_class: assetClassOf(instruments.map(({ asset_class }) => asset_class)),
    direction: 'both',
    legs: equalLegs(symbols),
    status: 'ready',
    is_copied: 0,
    publish_state: 0,
    like_count: 0,
    copy_count: 0,
    deployment_count: 0,
    performance: NO_PERFORMANCE,
    version: 1,
    order_type: 'market',
    quantity: 1,
    max_allocation_pct: 10,
    created_at: at,
    updated_at: at,
  };
};

/** Refuses a strategy past the quota. */
export const tooMany = (): HubError =>
  new HubError('quota_reached', `You have ${MAX_STRATEGIES} strategies, the largest number allowed.`);
