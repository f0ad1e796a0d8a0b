import { changeAt, changeList, getAt, isList, isRecord, type Json, type Path, setAt } from './json.ts';
import { type ConditionChoice, newCondition } from './new-conditions.ts';
import { conditionKindOf } from './parts.ts';

/** Changed rules, with the place that gets the focus. */
export interface Edit {
  readonly draft: Json;
  readonly focus: Path;
}

type GroupKind = 'all' | 'any';

/** Place of a condition in its group. */
interface Membership {
  readonly group: Path;
  readonly list: Path;
  readonly index: number;
  readonly size: number;
}

const membersOf = (draft: Json, path: Path): readonly Json[] => {
  const value = getAt(draft, path);
  return isList(value) ? value : [];
};

const membershipOf = (draft: Json, path: Path): Membership | undefined => {
  const index = path.at(-1);
  const key = path.at(-2);
  if (typeof index !== 'number' || (key !== 'all' && key !== 'any')) return undefined;
  const list = path.slice(0, -1);
  return { group: path.slice(0, -2), list, index, size: membersOf(draft, list).length };
};

/** Adds a condition at the end of a group. */
export const appendTo = (draft: Json, group: Path, condition: Json): Edit => {
  const kind = conditionKindOf(getAt(draft, group));
  if (kind !== 'all' && kind !== 'any') return insertAfter(draft, group, condition);
  const list = [...group, kind];
  const focus = [...list, membersOf(draft, list).length];
  return { draft: changeList(draft, list, (members) => [...members, condition]), focus };
};

/** Adds a condition after another one. Outside of a group, both become a group. */
export const insertAfter = (draft: Json, path: Path, condition: Json): Edit => {
  const within = membershipOf(draft, path);
  if (!within) {
    const grouped = changeAt(draft, path, (before) => ({
      all: before === undefined ? [condition] : [before, condition],
    }));
    return { draft: grouped, focus: [...path, 'all', getAt(draft, path) === undefined ? 0 : 1] };
  }
  const { list, index } = within;
  return {
    draft: changeList(draft, list, (members) => members.toSpliced(index + 1, 0, condition)),
    focus: [...list, index + 1],
  };
};

/** Removes a condition, with the groups and conditions around it that would be left empty. */
export const removeCondition = (draft: Json, path: Path): Edit => {
  const within = membershipOf(draft, path);
  if (within) {
    const { group, list, index, size } = within;
    if (size === 1 && group.at(-1) !== 'when') return removeCondition(draft, group);
    const left = changeList(draft, list, (members) => members.toSpliced(index, 1));
    return { draft: left, focus: size === 1 ? group : [...list, Math.min(index, size - 2)] };
  }
  const last = path.at(-1);
  if (last === 'not' || last === 'condition') return removeCondition(draft, path.slice(0, -1));
  return { draft: setAt(draft, path, { all: [] }), focus: path };
};

const groupKindAt = (draft: Json, path: Path): GroupKind | undefined => {
  const kind = conditionKindOf(getAt(draft, path));
  return kind === 'all' || kind === 'any' ? kind : undefined;
};

/** Moves a condition into a group that is next to it in the same list. */
const moveInto = (draft: Json, { list, index }: Membership, step: 1 | -1, kind: GroupKind): Edit => {
  const moved = membersOf(draft, list)[index] ?? null;
  const inner = [...list, index + step, kind];
  const size = membersOf(draft, inner).length;
  const added = changeList(draft, inner, (members) => (step > 0 ? [moved, ...members] : [...members, moved]));
  const removed = changeList(added, list, (members) => members.toSpliced(index, 1));
  const groupIndex = step > 0 ? index : index - 1;
  return { draft: removed, focus: [...list, groupIndex, kind, step > 0 ? 0 : size] };
};

/** Moves a condition out of its group, before or after it. A group that would be left empty goes. */
const moveOut = (draft: Json, within: Membership, outer: Membership, step: 1 | -1): Edit => {
  const moved = membersOf(draft, within.list)[within.index] ?? null;
  if (within.size === 1) {
    return { draft: setAt(draft, within.group, moved), focus: within.group };
  }
  const removed = changeList(draft, within.list, (members) => members.toSpliced(within.index, 1));
  const index = step > 0 ? outer.index + 1 : outer.index;
  return {
    draft: changeList(removed, outer.list, (members) => members.toSpliced(index, 0, moved)),
    focus: [...outer.list, index],
  };
};

/** Moves a condition up or down: past its neighbour, into a group next to it, or out of its group. */
export const moveCondition = (draft: Json, path: Path, step: 1 | -1): Edit => {
  const within = membershipOf(draft, path);
  const stay = { draft, focus: path };
  if (!within) return stay;
  const { group, list, index, size } = within;
  const target = index + step;
  if (target < 0 || target >= size) {
    const outer = membershipOf(draft, group);
    return outer ? moveOut(draft, within, outer, step) : stay;
  }
  const kind = groupKindAt(draft, [...list, target]);
  if (kind) return moveInto(draft, within, step, kind);
  const [here, there] = [membersOf(draft, list)[index] ?? null, membersOf(draft, list)[target] ?? null];
  return {
    draft: changeList(draft, list, (members) => members.with(index, there).with(target, here)),
    focus: [...list, target],
  };
};

const innerOf = (condition: Json | undefined): Json | undefined => {
  if (!isRecord(condition)) return undefined;
  const kind = conditionKindOf(condition);
  if (kind === 'not') return condition.not;
  return kind === 'for_bars' ? condition.condition : undefined;
};

/**
 * Changes the kind of a condition. A condition stays within a group or condition that is put around it, and the value that
 * it is about stays for a kind that is about a value, too.
 */
export const changeKind = (draft: Json, path: Path, choice: ConditionChoice): Edit => {
  const before = getAt(draft, path);
  if (choice === conditionKindOf(before)) return { draft, focus: path };
  const group = groupKindAt(draft, path);
  if (group && (choice === 'all' || choice === 'any')) {
    return { draft: setAt(draft, path, { [choice]: membersOf(draft, [...path, group]) }), focus: path };
  }
  const inner = innerOf(before);
  const kept = inner !== undefined && (choice === 'not' || choice === 'for_bars') ? inner : before;
  return { draft: setAt(draft, path, newCondition(choice, kept)), focus: path };
};

/** Changes a rise to a fall, or back. */
export const turnMove = (draft: Json, path: Path, to: 'rising' | 'falling'): Json =>
  changeAt(draft, path, (before) => {
    const from = to === 'rising' ? 'falling' : 'rising';
    if (!isRecord(before)) return before;
    const { [from]: value, ...kept } = before;
    return value === undefined ? before : { [to]: value, ...kept };
  });

/** Puts a condition within a new one of another kind. */
export const wrap = (draft: Json, path: Path, kind: ConditionChoice): Edit => ({
  draft: changeAt(draft, path, (before) => newCondition(kind, before)),
  focus: path,
});

/** Returns whether the conditions within one can take its place. */
export const canUnwrap = (draft: Json, path: Path): boolean => {
  const group = groupKindAt(draft, path);
  if (!group) return innerOf(getAt(draft, path)) !== undefined;
  const { length } = membersOf(draft, [...path, group]);
  return length === 1 || (length > 1 && membershipOf(draft, path) !== undefined);
};

/** Replaces a group or a condition around another by the conditions within. */
export const unwrap = (draft: Json, path: Path): Edit => {
  const stay = { draft, focus: path };
  if (!canUnwrap(draft, path)) return stay;
  const group = groupKindAt(draft, path);
  if (!group) return { draft: changeAt(draft, path, innerOf), focus: path };
  const members = membersOf(draft, [...path, group]);
  const within = membershipOf(draft, path);
  if (!within) return { draft: setAt(draft, path, members[0] ?? null), focus: path };
  return {
    draft: changeList(draft, within.list, (all) => all.toSpliced(within.index, 1, ...members)),
    focus: path,
  };
};
