import type { Edit } from './edits.ts';
import { changeList, getAt, isList, type Json, type Path, removeAt, setAt } from './json.ts';
import { newCondition } from './new-conditions.ts';
import { DISTANCES, newPart, SIZES } from './schema-slots.ts';

type Section = 'entries' | 'exits';

const closeCrosses = (op: string): Json => ({
  left: { price: 'close', ago: 0 },
  op,
  right: { indicator: 'sma', length: 20, source: 'close', ago: 0 },
});

/** Rules of a strategy that begins from nothing: an entry and an exit to change. */
export const emptyRules = (): Json => ({
  schema: 'hub.rules/1',
  params: {},
  entries: [
    { side: 'long', when: closeCrosses('crosses_above'), size: { type: 'equity_percent', percent: 100 } },
  ],
  exits: [{ side: 'long', when: closeCrosses('crosses_below'), portion: 1 }],
  reverse: false,
  pyramid: false,
  max_trades: 1,
  cooldown_bars: 0,
});

const sizeOf = (draft: Json, section: Section): number => {
  const members = getAt(draft, [section]);
  return isList(members) ? members.length : 0;
};

/** Adds an entry or exit at the end. */
export const addSection = (draft: Json, section: Section): Edit => {
  const made: Json =
    section === 'entries'
      ? {
          side: 'long',
          when: newCondition('comparison'),
          size: { type: 'equity_percent', percent: 100 },
        }
      : { side: 'long', when: newCondition('comparison'), portion: 1 };
  return {
    draft: changeList(draft, [section], (members) => [...members, made]),
    focus: [section, sizeOf(draft, section)],
  };
};

/** Removes an entry or exit. */
export const removeSection = (draft: Json, section: Section, index: number): Edit => {
  const left = sizeOf(draft, section) - 1;
  return {
    draft: changeList(draft, [section], (members) => members.toSpliced(index, 1)),
    focus: left > 0 ? [section, Math.min(index, left - 1)] : [section],
  };
};

/** Adds a copy of an entry or exit after it. */
export const copySection = (draft: Json, section: Section, index: number): Edit => ({
  draft: changeList(draft, [section], (members) =>
    members.toSpliced(index + 1, 0, ...members.slice(index, index + 1)),
  ),
  focus: [section, index + 1],
});

/** Moves an entry or exit up or down. The first that applies is taken, so the order matters. */
export const moveSection = (draft: Json, section: Section, index: number, step: 1 | -1): Edit => {
  const target = index + step;
  if (target < 0 || target >= sizeOf(draft, section)) return { draft, focus: [section, index] };
  return {
    draft: changeList(draft, [section], (members) =>
      members.toSpliced(index, 1).toSpliced(target, 0, ...members.slice(index, index + 1)),
    ),
    focus: [section, target],
  };
};

/** Changes how an entry is ordered. The distance stays, and a market order waits for nothing. */
export const changeOrder = (draft: Json, entry: Path, order: 'market' | 'limit' | 'stop'): Json => {
  const before = getAt(draft, [...entry, 'limit']) ?? getAt(draft, [...entry, 'stop']);
  const market = removeAt(removeAt(draft, [...entry, 'limit']), [...entry, 'stop']);
  if (order === 'market') return removeAt(market, [...entry, 'valid_bars']);
  return setAt(market, [...entry, order], before ?? { percent: order === 'limit' ? -1 : 1 });
};

/** Changes the kind of a size. */
export const changeSize = (draft: Json, entry: Path, type: string): Json => {
  const form = SIZES[type];
  return form ? setAt(draft, [...entry, 'size'], newPart(form, 'type')) : draft;
};

/** Changes the kind of a stop or target; undefined removes it. */
export const changeDistance = (draft: Json, path: Path, type: string | undefined): Json => {
  const form = type === undefined ? undefined : DISTANCES[type];
  if (form) return setAt(draft, path, newPart(form, 'type'));
  return type === undefined ? removeAt(draft, path) : draft;
};

/** Changes an option of the session. A session without options goes. */
export const changeSession = (draft: Json, option: string, value: Json | undefined): Json => {
  const path = ['session', option];
  const changed = value === undefined ? removeAt(draft, path) : setAt(draft, path, value);
  const session = getAt(changed, ['session']);
  const isEmpty = typeof session === 'object' && session !== null && Object.keys(session).length === 0;
  return isEmpty ? removeAt(changed, ['session']) : changed;
};
