import fc from 'fast-check';
import { checkDraft } from '../../functions/console/app/rules/check.ts';
import { readText, textOf } from '../../functions/console/app/rules/draft-text.ts';
import {
  changeKind,
  moveCondition,
  removeCondition,
  turnMove,
} from '../../functions/console/app/rules/edits.ts';
import { beginHistory, record, redo, undo } from '../../functions/console/app/rules/history.ts';
import {
  argLabelOf,
  INDICATOR_LABELS,
  outputLabelsOf,
} from '../../functions/console/app/rules/indicator-labels.ts';
import { getAt, isWithin, type Json, pathKey, setAt } from '../../functions/console/app/rules/json.ts';
import {
  CHOICE_LABELS,
  DISTANCE_LABELS,
  SIZE_LABELS,
  SLOT_LABELS,
  TRADE_LABELS,
  WITHOUT_LABELS,
} from '../../functions/console/app/rules/labels.ts';
import { type ConditionChoice, newCondition } from '../../functions/console/app/rules/new-conditions.ts';
import { makeParam, removeParam } from '../../functions/console/app/rules/param-edits.ts';
import { PATTERN_GROUPS } from '../../functions/console/app/rules/pattern-labels.ts';
import { canShowRows, placesByKey, placesOf } from '../../functions/console/app/rules/places.ts';
import {
  DISTANCES,
  INDICATORS,
  PATTERNS,
  PRICE,
  SIZES,
} from '../../functions/console/app/rules/schema-slots.ts';
import { emptyRules } from '../../functions/console/app/rules/section-edits.ts';
import { canonicalRules } from '../../shared/domain/engine/rules/canonical.ts';
import { rulesSchema } from '../../shared/domain/engine/rules/schema.ts';
import { TRADE_VALUES } from '../../shared/domain/engine/rules/shape.ts';
import { strategyTemplates } from '../../shared/domain/engine/rules/templates.ts';
import { crossRules, FULL_RULES } from '../support/rules.ts';
import { applyEdit, asJson, conditionPaths, leavesOf, randomDraft, randomEdits } from './random-drafts.ts';

const canonical = (draft: Json): string => canonicalRules(rulesSchema.parse(draft));

/** Rebuilds rules from the fields that rows show. */
const fromRows = (draft: Json): [string, Json][] =>
  [...placesOf(draft)].flatMap(({ path, isWhole }) => {
    const value = getAt(draft, path);
    return isWhole && value !== undefined
      ? leavesOf(value, path).map(([each, leaf]): [string, Json] => [pathKey(each), leaf])
      : [];
  });

/** Leaves of rules, without empty lists and records, which a section shows as empty. */
const leaves = (draft: Json): [string, Json][] =>
  leavesOf(draft)
    .filter(([, value]) => typeof value !== 'object')
    .map(([path, value]) => [pathKey(path), value]);

const byKey = (entries: readonly [string, Json][]) =>
  entries.filter(([, value]) => typeof value !== 'object').toSorted(([a], [b]) => (a < b ? -1 : 1));

const problemsOf = (draft: Json) => {
  const checked = checkDraft(draft, '1d');
  return 'problems' in checked ? checked.problems : [];
};

const texts = (draft: unknown) =>
  problemsOf(asJson(draft)).map(({ place, text }) => `${place.join('.')}: ${text}`);

const entryWith = (more: object) => {
  const rules = asJson(crossRules());
  return setAt(rules, ['entries', 0], { ...Object(getAt(rules, ['entries', 0])), ...more });
};

describe('rows of rules', () => {
  it('show every field of valid rules, so that the rows give the same rules', () => {
    fc.assert(
      fc.property(randomDraft(), (draft) => {
        expect(canShowRows(draft)).toBe(true);
        expect(byKey(fromRows(draft))).toEqual(byKey(leaves(draft)));
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['with every part', FULL_RULES],
    ['from nothing', emptyRules()],
    ...strategyTemplates().map(({ key, rules }): [string, unknown] => [key, rules]),
  ])('show every field of rules %s', (_name, rules) => {
    const draft = asJson(rulesSchema.parse(rules));
    expect(byKey(fromRows(draft))).toEqual(byKey(leaves(draft)));
    expect(problemsOf(draft)).toEqual([]);
  });

  it('and the text give the same rules', () => {
    fc.assert(
      fc.property(randomDraft(), (draft) => {
        const read = readText(textOf(draft));
        expect('draft' in read && canonical(read.draft)).toBe(canonical(draft));
      }),
      { numRuns: 40 },
    );
  });

  it('stay valid or tell each problem at a place that they show, with any edits', () => {
    fc.assert(
      fc.property(randomDraft(), randomEdits(12), (start, edits) => {
        const draft = edits.reduce((before, edit) => applyEdit(before, edit, 'all'), start);
        const places = placesByKey(draft);
        for (const { place, text } of problemsOf(draft)) {
          expect(places.has(pathKey(place))).toBe(true);
          expect(place.length > 0 || text.includes('too long')).toBe(true);
          expect(text).toMatch(/^[A-Z].*\.$/);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('stay valid with edits of the structure, but for limits and empty groups', () => {
    fc.assert(
      fc.property(randomDraft(), randomEdits(8), (start, edits) => {
        const draft = edits.reduce((before, edit) => applyEdit(before, edit, 'structure'), start);
        for (const { text } of problemsOf(draft)) {
          expect(text).toMatch(/at most|at least one condition|too long/);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('take any JSON and keep it whole', () => {
    fc.assert(
      fc.property(randomDraft(), fc.nat(), fc.jsonValue({ maxDepth: 3 }), (start, pick, value) => {
        const paths = leavesOf(start).map(([path]) => path);
        const leaf = paths[pick % paths.length] ?? [];
        const place = leaf.slice(0, 1 + (pick % Math.max(1, leaf.length)));
        const draft = setAt(start, place, asJson(value));
        const places = placesByKey(draft);
        for (const problem of problemsOf(draft)) expect(places.has(pathKey(problem.place))).toBe(true);
        const edited = setAt(draft, ['cooldown_bars'], 3);
        if (place[0] !== 'cooldown_bars') expect(getAt(edited, place)).toEqual(asJson(value));
      }),
      { numRuns: 60 },
    );
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const draft = asJson(value);
        expect(problemsOf(draft).length).toBeGreaterThan(0);
        expect([...placesOf(draft)].every(({ path }) => isWithin(path, []))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe('edits of conditions', () => {
  const comparisons = (draft: Json) =>
    conditionPaths(draft)
      .map((path) => getAt(draft, path))
      .filter((value) => typeof value === 'object' && value !== null && 'op' in value)
      .map((value) => JSON.stringify(value))
      .toSorted();

  it('move each condition without losing one, and back again', () => {
    fc.assert(
      fc.property(randomDraft(), fc.nat(), (draft, pick) => {
        const paths = conditionPaths(draft);
        const path = paths[pick % paths.length] ?? [];
        const down = moveCondition(draft, path, 1);
        expect(getAt(down.draft, down.focus)).toEqual(getAt(draft, path));
        expect(comparisons(down.draft)).toEqual(comparisons(draft));
        const up = moveCondition(down.draft, down.focus, -1);
        expect(comparisons(up.draft)).toEqual(comparisons(draft));
        expect(getAt(up.draft, up.focus)).toEqual(getAt(draft, path));
      }),
      { numRuns: 60 },
    );
  });

  it('give the focus to a condition that exists after a removal', () => {
    fc.assert(
      fc.property(randomDraft(), fc.nat(), (draft, pick) => {
        const paths = conditionPaths(draft);
        const removed = removeCondition(draft, paths[pick % paths.length] ?? []);
        expect(conditionPaths(removed.draft).map(pathKey)).toContain(pathKey(removed.focus));
      }),
      { numRuns: 60 },
    );
  });

  it('move a condition into and out of a neighbouring group', () => {
    const [a, b, c] = [{ bars_in_trade: 1 }, { bars_in_trade: 2 }, { bars_in_trade: 3 }];
    const draft = entryWith({ when: { all: [a, { any: [b, c] }] } });
    const when = ['entries', 0, 'when'];
    const into = moveCondition(draft, [...when, 'all', 0], 1);
    expect(getAt(into.draft, when)).toEqual({ all: [{ any: [a, b, c] }] });
    expect(into.focus).toEqual([...when, 'all', 0, 'any', 0]);
    const out = moveCondition(draft, [...when, 'all', 1, 'any', 1], 1);
    expect(getAt(out.draft, when)).toEqual({ all: [a, { any: [b] }, c] });
  });

  it('replace a removed parameter by its default', () => {
    fc.assert(
      fc.property(randomDraft(), fc.nat(), (draft, pick) => {
        const numbers = leavesOf(draft).filter(
          ([path, value]) => typeof value === 'number' && path[0] !== 'params',
        );
        const [path = []] = numbers[pick % numbers.length] ?? [];
        expect(removeParam(makeParam(draft, path, 'made'), 'made')).toEqual(draft);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a new condition', () => {
  const close = { price: 'close', ago: 0 };
  const rsi = { indicator: 'rsi', length: 14, source: 'close', ago: 0 };
  const changed = (before: Json, choice: ConditionChoice): Json => changeKind(before, [], choice).draft;

  it('of each pattern and value of the trade is valid in an exit', () => {
    const choices = [
      ...Object.keys(PATTERNS).map((name): ConditionChoice => `pattern:${name}`),
      ...TRADE_VALUES.map((name): ConditionChoice => `trade:${name}`),
    ];
    for (const choice of choices) {
      const exits = [{ side: 'long', when: newCondition(choice) }];
      expect([choice, texts(crossRules(10, 30, { exits }))]).toEqual([choice, []]);
    }
  });

  it('is about the value of the condition before', () => {
    expect(changed({ left: rsi, op: 'lt', right: 30 }, 'between')).toEqual({ value: rsi, between: [30, 60] });
    expect(changed({ value: close, between: [1, 2] }, 'rising')).toEqual({ rising: close, bars: 3 });
    expect(changed({ falling: rsi, bars: 3 }, 'comparison')).toEqual({ left: rsi, op: 'gt', right: 30 });
    expect(changed({ left: close, op: 'gt', right: 1 }, 'between')).toMatchObject({
      between: [{ output: 'lower' }, { output: 'upper' }],
    });
  });

  it('has no value of the trade where that of the bar before is needed', () => {
    const traded = { left: { trade: 'entry_price' }, op: 'gt', right: 1 };
    expect(changed(traded, 'falling')).toEqual({ falling: close, bars: 3 });
  });

  it('of a pattern keeps timeframe and age, and gets thresholds of its own', () => {
    const hammer = { pattern: 'hammer', body: 5, timeframe: '1w', ago: 2 };
    expect(changed(hammer, 'pattern:doji')).toEqual({ pattern: 'doji', body: 10, timeframe: '1w', ago: 2 });
  });

  it('turns from a rise to a fall, and back', () => {
    const rise = { rising: rsi, bars: 2 };
    const fall = turnMove(rise, [], 'falling');
    expect(fall).toEqual({ falling: rsi, bars: 2 });
    expect([turnMove(fall, [], 'rising'), turnMove(rise, [], 'rising')]).toEqual([rise, rise]);
  });
});

describe('problems of rules', () => {
  it.each([
    [
      entryWith({ valid_bars: 3 }),
      'entries.0.valid_bars: Only a limit or stop order waits for bars. Choose one, or clear this.',
    ],
    [
      entryWith({ limit: { percent: 1 }, stop: { percent: 1 } }),
      'entries.0.stop: An entry has a limit or a stop, not both. Remove one of them.',
    ],
    [
      entryWith({ size: { type: 'risk_percent', percent: 1 } }),
      'entries.0.size: A size by risk needs a stop loss. Add one, or choose another size.',
    ],
    [entryWith({ size: { type: 'units', units: 0 } }), 'entries.0.size.units: Enter more than 0.'],
    [
      entryWith({ stop_loss: { type: 'percent', percent: 'x' } }),
      'entries.0.stop_loss.percent: Enter a number.',
    ],
    [
      entryWith({ stop_loss: { type: 'percent', percent: '1.000' } }),
      'entries.0.stop_loss.percent: Enter a number, such as 0.05 or 10000, without points or commas between thousands.',
    ],
    [entryWith({ when: { all: [] } }), 'entries.0.when.all: Add at least one condition.'],
    [
      entryWith({ when: { time: ['9:00', '10:00'] } }),
      'entries.0.when.time.0: Enter a time as HH:MM, such as 09:45.',
    ],
    [entryWith({ when: { weekday: [] } }), 'entries.0.when.weekday: Choose at least one day.'],
    [entryWith({ wehn: 1 }), 'entries.0: Rules do not know wehn here. Remove it in the text.'],
    [crossRules(''), 'entries.0.when.left.length: Enter a number.'],
    [crossRules(2.5), 'entries.0.when.left.length: Enter a whole number.'],
    [crossRules(501), 'entries.0.when.left.length: Enter 500 or less.'],
    [
      crossRules({ param: 'fast' }),
      'entries.0.when.left.length: There is no such parameter. Add it, or choose another.',
    ],
    [
      crossRules(10, 30, { params: { '1x': { default: 1 } } }),
      'params.1x: A name has at most 32 letters, digits and underscores, and begins with a letter.',
    ],
    [
      crossRules(10, 30, { params: { x: { default: 1, min: 2 } } }),
      'params.x.default: The default is not between the smallest and the largest value.',
    ],
    [
      crossRules(10, 30, { params: { x: { default: 1, min: 3, max: 2 } } }),
      'params.x.min: The smallest value is above the largest.',
    ],
    [
      entryWith({ when: { left: { trade: 'entry_price' }, op: 'gt', right: 1 } }),
      'entries.0.when.left.trade: Only exits can compare values of the trade: an entry has none yet. Choose another value.',
    ],
    [
      crossRules(10, 30, { exits: [{ side: 'long', when: { rising: { trade: 'entry_price' } } }] }),
      'exits.0.when: A value of the trade has none of the bar before. Choose above, below or between.',
    ],
    [entryWith({ when: { pattern: 'hammer', wick: 0 } }), 'entries.0.when.wick: Enter more than 0.'],
    [
      entryWith({ when: { value: 1, between: [0, 'x'] } }),
      'entries.0.when.between.1: Enter a number, or choose a value.',
    ],
    [{ schema: 'hub.rules/1', entries: [] }, 'entries: Add at least one entry.'],
  ])('%# are told in words at their place', (draft, expected) => {
    expect(texts(draft)).toEqual([expected]);
  });

  it('tell an operand whose bars cannot be made from those of the strategy', () => {
    const rules = asJson(crossRules());
    const draft = setAt(rules, ['entries', 0, 'when', 'left', 'timeframe'], '1h');
    expect(texts(draft)).toEqual([
      'entries.0.when.left.timeframe: Bars of 1h cannot be made from bars of 1d. Choose a longer timeframe.',
    ]);
  });

  it('tell the sentence of valid rules', () => {
    expect(checkDraft(asJson(crossRules()), '1d')).toMatchObject({
      sentence: 'Buys with 100% of equity when SMA(10) crosses above SMA(30).',
    });
  });

  it.each([
    ['{"a": 1,}', /near line 1, column 9/],
    ['{\n  "a": 1\n', /at the end|near line 3/],
    [' ', /empty/],
  ])('tell the place of a mistake in the text %j', (text, expected) => {
    const read = readText(text);
    expect('fault' in read && read.fault).toMatch(expected);
  });
});

describe('words', () => {
  it('name every indicator, pattern, field and choice of the schema', () => {
    const forms = [INDICATORS, PATTERNS, DISTANCES, SIZES, { PRICE }].flatMap((each) => Object.values(each));
    for (const { name, slots } of forms) {
      for (const slot of slots) {
        if (slot.name === 'price') continue;
        const label = argLabelOf(name, slot.name) ?? SLOT_LABELS[slot.name];
        expect([name, slot.name, label]).toEqual([name, slot.name, expect.any(String)]);
        if (slot.kind !== 'choice') continue;
        if (slot.isOptional) expect(Object.keys(WITHOUT_LABELS)).toContain(slot.name);
        const labels = slot.name === 'output' ? outputLabelsOf(name) : CHOICE_LABELS;
        for (const choice of slot.choices) expect(Object.keys(labels)).toContain(choice);
      }
    }
    expect(Object.keys(INDICATOR_LABELS).toSorted()).toEqual(Object.keys(INDICATORS).toSorted());
    const patterns = Object.values(PATTERN_GROUPS).flatMap((group) => Object.keys(group));
    expect(patterns.toSorted()).toEqual(Object.keys(PATTERNS).toSorted());
    expect(Object.keys(TRADE_LABELS).toSorted()).toEqual(TRADE_VALUES.toSorted());
    expect(Object.keys(DISTANCE_LABELS).toSorted()).toEqual(Object.keys(DISTANCES).toSorted());
    expect(Object.keys(SIZE_LABELS).toSorted()).toEqual(Object.keys(SIZES).toSorted());
  });
});

describe('history', () => {
  it('undoes and redoes any edits', () => {
    fc.assert(
      fc.property(randomDraft(), randomEdits(10), (start, edits) => {
        let history = beginHistory(start);
        for (const edit of edits) history = record(history, applyEdit(history.present, edit, 'all'));
        const end = history.present;
        const steps = history.past.length;
        for (let step = 0; step < steps; step += 1) history = undo(history);
        expect(history.present).toBe(start);
        expect(undo(history)).toBe(history);
        for (let step = 0; step < steps; step += 1) history = redo(history);
        expect(history.present).toBe(end);
      }),
      { numRuns: 20 },
    );
  });

  it('takes typing into one field as one step', () => {
    const typed = ['1', '12', '123'].reduce(
      (before, text) => record(before, text, 'length'),
      record(beginHistory('start'), 'other'),
    );
    expect(undo(typed).present).toBe('other');
    expect(undo(undo(typed)).present).toBe('start');
  });
});
