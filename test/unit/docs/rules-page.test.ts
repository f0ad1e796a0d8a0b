import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { ROWS } from '../../../shared/domain/engine/indicators/list.ts';
import { indicatorSchema } from '../../../shared/domain/engine/indicators/operand.ts';
import { patternSchema } from '../../../shared/domain/engine/rules/patterns.ts';
import { rulesSchema } from '../../../shared/domain/engine/rules/schema.ts';
import { indicatorSeries } from '../../support/indicator-series.ts';
import { randomBars } from '../../support/random-bars.ts';

/** Set to write the table of indicators. */
const { UPDATE_PAGES } = process.env;
const PAGE = new URL('../../../functions/strategies/RULES.md', import.meta.url);
const page = readFileSync(PAGE, 'utf8');
const sections = new Map(
  page.split(/^## /m).map((text): [string, string] => [text.slice(0, text.indexOf('\n')), text]),
);

const params = { fast: { default: 10, min: 2, max: 200 } };
const when = { left: { price: 'close' }, op: 'gt', right: 1 };
const entry = { side: 'long', when };
const exit = { side: 'long', when };
const rules = (parts: object) => ({ schema: 'hub.rules/1', params, entries: [entry], ...parts });

/** Completes the examples of a section's table. */
const WRAP: Readonly<Record<string, (example: object) => object>> = {
  Operands: (left) => rules({ exits: [{ side: 'long', when: { ...when, left } }] }),
  Indicators: (left) => rules({ entries: [{ side: 'long', when: { ...when, left } }] }),
  Conditions: (condition) => rules({ exits: [{ side: 'long', when: condition }] }),
  Patterns: (condition) => rules({ entries: [{ side: 'long', when: condition }] }),
  Entries: (options) => rules({ entries: [{ ...entry, ...options }] }),
  Exits: (options) => rules({ exits: [{ ...exit, ...options }] }),
  'Whole rules': (fields) => rules(fields),
};

const parse = (json: string): object => {
  const value: unknown = JSON.parse(json);
  if (typeof value !== 'object' || value === null) throw new Error(`${json} is no object`);
  return value;
};
const examplesOf = (section: string): string[] =>
  [...(sections.get(section) ?? '').matchAll(/^\| `(\{[^`]+)`(?:, `\w+`)? \|/gm)].map(
    ([, json = '']) => json,
  );

const examples = Object.keys(WRAP).flatMap((section) =>
  examplesOf(section).map((json): [string, string] => [section, json]),
);

/** Writes the row of an indicator with its defaults and the first bar with a value, counted from 1. */
const indicatorRow = ({ shape }: (typeof indicatorSchema.options)[number]): string => {
  const [name = ''] = shape.indicator.values;
  const { ago: _ago, ...operand } = indicatorSchema.parse({ indicator: name });
  const { value, formula, elsewhere } = ROWS[operand.indicator];
  const json = JSON.stringify(operand).replaceAll(/[:,](?=")|:(?=\d)/g, '$& ');
  const first = indicatorSeries(operand, randomBars(1, 400)).findIndex((each) => !Number.isNaN(each));
  // The bars are days: what needs minutes has no value.
  const cells = [value, formula, first < 0 ? '–' : String(first + 1), elsewhere ?? ''].map((cell) =>
    cell.replaceAll('|', '\\|'),
  );
  return `| \`${json}\` | ${cells.join(' | ')} |`.replaceAll(/ +\|/g, ' |');
};

test.each(examples)('%s: %s is valid', (section, json) => {
  expect(rulesSchema.safeParse(WRAP[section]?.(parse(json))).error?.issues).toBeUndefined();
});

test('complete examples are valid', () => {
  const complete = [...page.matchAll(/^```json\n(.+?)^```/gms)].map(([, json = '']) => json);
  expect(complete).toHaveLength(2);
  for (const json of complete) expect(rulesSchema.safeParse(parse(json)).error?.issues).toBeUndefined();
});

test('the table of indicators is that of their declarations', () => {
  const [head, rule, ...rows] = (sections.get('Indicators') ?? '')
    .split('\n')
    .filter((line) => /^\|/.test(line));
  const expected = indicatorSchema.options.map(indicatorRow);
  if (UPDATE_PAGES) {
    writeFileSync(PAGE, page.replace([head, rule, ...rows].join('\n'), [head, rule, ...expected].join('\n')));
  } else expect(rows).toEqual(expected);
});

test('every pattern is shown, the bullish one with its defaults', () => {
  const section = sections.get('Patterns') ?? '';
  for (const json of examplesOf('Patterns')) {
    const shown = patternSchema.parse(parse(json));
    expect({ ...parse(json), ago: 0 }).toEqual(patternSchema.parse({ pattern: shown.pattern }));
  }
  for (const { shape } of patternSchema.options) {
    const [name = ''] = shape.pattern.values;
    expect(section).toMatch(new RegExp(`["\`]${name}["\`]`));
  }
});

test('every field and condition is shown', () => {
  const keys = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (!Array.isArray(value)) keys.add(key);
      collect(member);
    }
  };
  for (const [section, json] of examples) collect(WRAP[section]?.(parse(json)));
  const { shape } = rulesSchema;
  const known = [
    ...Object.keys(shape),
    ...Object.keys(shape.entries.element.shape),
    ...Object.keys(shape.exits.unwrap().element.shape),
    ...Object.keys(shape.session.unwrap().shape),
    ...['all', 'any', 'not', 'time', 'weekday', 'bars_in_trade', 'for_bars'],
    ...['between', 'rising', 'falling', 'bars', 'pattern', 'candles', 'trade'],
    ...['price', 'param', 'add', 'subtract', 'multiply', 'divide', 'ago', 'timeframe', 'source', 'output'],
  ];
  expect(known.filter((key) => !keys.has(key))).toEqual([]);
});
