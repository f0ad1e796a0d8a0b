import './no-generated-code.ts';

import * as z from 'zod';
import { indicatorSchema } from '../../../../shared/domain/engine/indicators/operand.ts';
import { patternSchema } from '../../../../shared/domain/engine/rules/patterns.ts';
import { priceSchema, shapeSchema } from '../../../../shared/domain/engine/rules/shape.ts';
import { RULES_LIMITS } from '../../../../shared/domain/engine/values/limits.ts';
import { isRecord, type Json, type JsonRecord } from './json.ts';

/** Field of a part of rules, read from the schema. */
export type Slot = {
  readonly name: string;
  /** Value when absent; undefined without one. */
  readonly standard: Json | undefined;
  /** Value in a new part; undefined for a field that may be absent. */
  readonly initial: Json | undefined;
  readonly isOptional: boolean;
} & (NumberSlot | ChoiceSlot);

interface NumberSlot {
  readonly kind: 'number';
  readonly isWhole: boolean;
  /** Bounds in words, such as `1 to 500`. */
  readonly range: string;
}

interface ChoiceSlot {
  readonly kind: 'choice';
  readonly choices: readonly string[];
}

/** Part of rules with a name of its own, such as an indicator or a kind of size. */
export interface Form {
  readonly name: string;
  readonly slots: readonly Slot[];
}

const unwrapped = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodDefault || schema instanceof z.ZodOptional ? unwrapped(schema.unwrap()) : schema;

const rangeOf = (number: z.ZodNumber): string => {
  const { minValue, maxValue } = number;
  const isExclusive = (number.def.checks ?? []).some(
    ({ _zod: { def } }) => def.check === 'greater_than' && 'inclusive' in def && !def.inclusive,
  );
  const most = maxValue !== null && maxValue < RULES_LIMITS.number ? maxValue : undefined;
  const least = minValue !== null && minValue > -RULES_LIMITS.number ? minValue : undefined;
  if (least === undefined) return most === undefined ? '' : `at most ${most}`;
  if (isExclusive) return most === undefined ? `above ${least}` : `above ${least}, at most ${most}`;
  return most === undefined ? `at least ${least}` : `${least} to ${most}`;
};

/** Reads a number, or a number or parameter, from a schema. */
const numberOf = (schema: z.core.$ZodType): z.ZodNumber | undefined => {
  if (schema instanceof z.ZodNumber) return schema;
  if (!(schema instanceof z.ZodUnion)) return undefined;
  return schema.options.find((option): option is z.ZodNumber => option instanceof z.ZodNumber);
};

const jsonOf = (value: unknown): Json | undefined =>
  typeof value === 'number' || typeof value === 'string' ? value : undefined;

/** Number that a new part begins with if the schema has no default. */
const FIRST_NUMBER = 1;

const slotOf = (name: string, schema: z.core.$ZodType): Slot | undefined => {
  const inner = unwrapped(schema);
  const isOptional = schema instanceof z.ZodOptional;
  const standard = schema instanceof z.ZodDefault ? jsonOf(schema.def.defaultValue) : undefined;
  if (inner instanceof z.ZodEnum) {
    const choices = inner.options.map(String);
    const initial = isOptional ? undefined : (standard ?? choices[0]);
    return { name, isOptional, standard, initial, kind: 'choice', choices };
  }
  const number = numberOf(inner);
  if (!number) return undefined;
  return {
    name,
    isOptional,
    standard,
    initial: isOptional ? undefined : (standard ?? FIRST_NUMBER),
    kind: 'number',
    isWhole: number.isInt,
    range: rangeOf(number),
  };
};

const slotsOf = (shape: Readonly<Record<string, z.core.$ZodType>>): Slot[] =>
  Object.entries(shape).flatMap(([name, schema]) => slotOf(name, schema) ?? []);

const formsOf = (options: readonly z.ZodObject[], discriminator: string): Readonly<Record<string, Form>> =>
  Object.fromEntries(
    options.map(({ shape }) => {
      const literal = shape[discriminator];
      if (!(literal instanceof z.ZodLiteral)) throw new Error(`a form without ${discriminator}`);
      const name = String(literal.value);
      return [name, { name, slots: slotsOf(shape) }];
    }),
  );

const entry = shapeSchema.shape.entries.element.shape;

/** Indicators by name, with their arguments. */
export const INDICATORS = formsOf(indicatorSchema.options, 'indicator');

/** Patterns of candles by name, with their thresholds. */
export const PATTERNS = formsOf(patternSchema.options, 'pattern');

/** Price of a bar. */
export const PRICE: Form = { name: 'price', slots: slotsOf(priceSchema.shape) };

/** Prices of a bar by name. */
export const PRICE_NAMES: readonly string[] = priceSchema.shape.price.options;

/** Kinds of distances of stops and targets. */
export const DISTANCES = formsOf(entry.stop_loss.unwrap().options, 'type');

/** Kinds of sizes. */
export const SIZES = formsOf(entry.size.unwrap().options, 'type');

const slotIn = (slots: readonly Slot[], name: string): Slot => {
  const slot = slots.find((each) => each.name === name);
  if (!slot) throw new Error(`the schema has no field ${name}`);
  return slot;
};

const entrySlots = slotsOf(entry);
const ruleSlots = slotsOf(shapeSchema.shape);

/** Fields that are single numbers or choices, outside of conditions. */
export const SLOTS = {
  side: slotIn(entrySlots, 'side'),
  validBars: slotIn(entrySlots, 'valid_bars'),
  offset: slotIn(slotsOf(entry.limit.unwrap().shape), 'percent'),
  portion: slotIn(slotsOf(shapeSchema.shape.exits.unwrap().element.shape), 'portion'),
  maxTrades: slotIn(ruleSlots, 'max_trades'),
  cooldownBars: slotIn(ruleSlots, 'cooldown_bars'),
} as const;

const plainNumber = (name: string, isWhole: boolean, range: string, standard?: number): Slot => ({
  name,
  isOptional: false,
  standard,
  initial: standard ?? FIRST_NUMBER,
  kind: 'number',
  isWhole,
  range,
});

/** Number of bars in a condition. */
export const BARS = plainNumber('bars', true, `1 to ${RULES_LIMITS.bars}`);

/** Number of bars in a row of a rise or fall. */
export const MOVE_BARS = plainNumber('bars', true, `1 to ${RULES_LIMITS.bars}`, 1);

/** Number of a comparison. */
export const NUMBER = plainNumber('number', false, '');

/** Builds a new part with its initial values. Fields of `kept` stay if the part has them. */
export const newPart = (form: Form, discriminator: string, kept?: Json): JsonRecord => {
  const fields = isRecord(kept) ? kept : {};
  const values = form.slots.flatMap(({ name, initial }): [string, Json][] => {
    const value = Object.hasOwn(fields, name) ? fields[name] : initial;
    return value === undefined ? [] : [[name, value]];
  });
  return { [discriminator]: form.name, ...Object.fromEntries(values) };
};
