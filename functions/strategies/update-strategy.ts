import * as z from 'zod';
import { extensionRecord, integer, storedInteger } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { invalidValue, takenName } from '../../shared/api/refusals.ts';
import type { Strategy } from '../../shared/data/strategies/strategies.ts';
import { directionOf, rulesIn } from '../../shared/data/strategies/strategy-rules.ts';
import { updateStrategy as update } from '../../shared/data/strategies/strategy-update.ts';
import { type Items, itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { Key } from '../../shared/data/table/writes.ts';
import { misfitTimeframes } from '../../shared/domain/engine/rules/timeframes.ts';
import { assetClassOf, DIRECTIONS, equalLegs } from '../../shared/domain/strategies/strategies.ts';
import { tidy } from '../../shared/domain/text.ts';
import { presentOwn, strategyOut } from '../../shared/records/strategy.ts';
import { changeCards } from './common/kept-cards.ts';
import { requireScopeOf, withoutKeys } from './common/key-scopes.ts';
import {
  knownInstruments,
  MAX_SYMBOLS,
  readSymbols,
  strategyDescription,
  strategyName,
  timeframe,
} from './common/make-strategy.ts';
import { ownStrategy } from './common/own-strategy.ts';

const NO_FIELD = 'give at least one field';
const SYMBOLS = ['body', 'symbols'] as const;

const strategyEdit = extensionRecord(
  'StrategyEdit',
  z
    .strictObject({
      strategy_name: strategyName().optional(),
      description: strategyDescription().nullable().optional(),
      symbols: z.array(z.string()).min(1).max(MAX_SYMBOLS).optional(),
      legs: z
        .array(z.strictObject({ symbol: z.string(), weight: z.number().gt(0).max(1) }))
        .min(1)
        .max(MAX_SYMBOLS)
        .optional(),
      timeframe: timeframe().optional(),
      direction: z.enum(DIRECTIONS).optional(),
      broker_id: storedInteger().nullable().optional(),
    })
    .refine((edit) => Object.keys(edit).length > 0, {
      error: NO_FIELD,
      params: { type: 'value_error.missing' },
    }),
);

type StrategyEdit = z.output<typeof strategyEdit>;

/** Reads the weights of the symbols: as given, as before for the same symbols, else equal. @throws ValidationError */
const legsOf = (
  before: Strategy,
  symbols: readonly string[],
  given: StrategyEdit['legs'],
): Strategy['legs'] => {
  if (!given) {
    return symbols.join() === before.symbols.join() ? before.legs : equalLegs(symbols);
  }
  const loc = ['body', 'legs'] as const;
  const legs = readSymbols(
    given.map(({ symbol }) => symbol),
    loc,
  ).map((symbol, index) => ({ symbol, weight: given[index]?.weight ?? 0 }));
  const named = new Set(legs.map(({ symbol }) => symbol));
  if (legs.length !== given.length || named.symmetricDifference(new Set(symbols)).size > 0) {
    throw invalidValue(loc, 'ensure each symbol of the strategy has one leg', 'value_error.legs');
  }
  const sum = legs.reduce((total, { weight }) => total + weight, 0);
  if (Math.abs(sum - 1) > 1e-9) throw invalidValue(loc, 'ensure the weights add up to 1', 'value_error.legs');
  return legs;
};

/** Returns the key of the rules, if the edit has to fit them. */
const rulesKeysOf = ({ rules_hash: hash }: Strategy, { timeframe, direction }: StrategyEdit): Key[] =>
  hash === undefined || (timeframe === undefined && direction === undefined) ? [] : [keys.rules(hash)];

/** Refuses a timeframe or direction that the rules of the strategy do not allow. @throws ValidationError */
const checkRules = (strategy: Strategy, edit: StrategyEdit, items: Items): void => {
  const [key] = rulesKeysOf(strategy, edit);
  if (!key) return;
  const rules = rulesIn(itemWith(items, key));
  if (edit.timeframe && misfitTimeframes(rules, edit.timeframe).length > 0) {
    throw invalidValue(
      ['body', 'timeframe'],
      `the rules have operands of a timeframe that is no multiple of ${edit.timeframe}`,
      'value_error.timeframe',
    );
  }
  const direction = directionOf(rules);
  if (edit.direction && edit.direction !== direction) {
    throw invalidValue(
      ['body', 'direction'],
      `the rules decide the direction, which is ${direction}`,
      'value_error.direction',
    );
  }
};

/** Returns the stored form of an edit. @throws ValidationError */
const readEdit = (
  before: Strategy,
  edit: StrategyEdit,
  symbols: readonly string[] | undefined,
  items: Items,
) => {
  checkRules(before, edit, items);
  const instruments =
    symbols &&
    knownInstruments(
      symbols.map((symbol) => itemWith(items, keys.instrument(symbol))),
      SYMBOLS,
    );
  return {
    ...(edit.strategy_name !== undefined && { strategy_name: tidy(edit.strategy_name) }),
    ...(edit.description !== undefined && {
      description: edit.description === null ? undefined : tidy(edit.description),
    }),
    ...(instruments && {
      symbols: instruments.map(({ symbol }) => symbol),
      asset_class: assetClassOf(instruments.map(({ asset_class }) => asset_class)),
    }),
    legs: legsOf(before, symbols ?? before.symbols, edit.legs),
    ...(edit.timeframe && { timeframe: edit.timeframe }),
    ...(edit.direction && { direction: edit.direction }),
    ...(edit.broker_id !== undefined && { broker_id: edit.broker_id ?? undefined }),
  };
};

export const updateStrategy = defineOperation({
  method: 'POST',
  path: '/update_strategy',
  name: 'update_strategy',
  summary: 'Edit a strategy',
  description:
    'Changes the given fields and raises the version; the same values change nothing. The new name is shown in every list at once. Other symbols get equal weights unless `legs` gives them. Rules stay: their operands must fit the timeframe, and they decide the direction. Running deployments and copies keep what they started with.',
  caller: 'user',
  scope: 'research',
  extension: true,
  assistant: {
    description:
      'Changes symbols, weights, timeframe or description of a private strategy. Give only the fields to change.',
    destructive: true,
    idempotent: true,
  },
  input: {
    query: z.object({ user_id: z.string(), strategy_id: integer() }),
    json: strategyEdit,
  },
  output: strategyOut,
  errors: ['strategy_unknown', 'name_taken', 'changed_meanwhile'],
  table: 'write',
  handler: ({ query, json: edit }, call) =>
    changeCards(call, async () => {
      const before = await ownStrategy(call, query.user_id, query.strategy_id);
      requireScopeOf(call, before);
      const symbols = edit.symbols && readSymbols(edit.symbols, SYMBOLS);
      const wanted = [...(symbols ?? []).map(keys.instrument), ...rulesKeysOf(before, edit)];
      const items = await call.store.getMany(wanted, { consistent: true });
      const after = await update(call.store, before, readEdit(before, edit, symbols, items), call);
      if (after === 'name_taken') throw takenName();
      return withoutKeys(call, presentOwn(after));
    }),
});
