import { getAt, isRecord, type Json, type JsonRecord, type Path, removeAt, setAt } from './json.ts';
import { isParam } from './parts.ts';

/** Replaces references to parameters in a value. */
const replaced = (value: Json, change: (name: string) => Json | undefined): Json => {
  if (isParam(value)) return change(value.param) ?? value;
  if (Array.isArray(value)) return value.map((member: Json) => replaced(member, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaced(member, change)]));
};

/** Changes the references outside of the declarations. */
const changeReferences = (draft: Json, change: (name: string) => Json | undefined): Json => {
  if (!isRecord(draft)) return draft;
  return Object.fromEntries(
    Object.entries(draft).map(([key, part]) => [key, key === 'params' ? part : replaced(part, change)]),
  );
};

const paramsOf = (draft: Json): JsonRecord => {
  const params = getAt(draft, ['params']);
  return isRecord(params) ? params : {};
};

/** Lists the names of the declared parameters. */
export const paramNames = (draft: Json): string[] => Object.keys(paramsOf(draft));

const isInUse = (value: Json, name: string): boolean => {
  if (isParam(value)) return value.param === name;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member: Json) => isInUse(member, name));
};

/** Returns whether conditions, stops or sizes use a parameter. */
export const isParamUsed = (draft: Json, name: string): boolean => isInUse(removeAt(draft, ['params']), name);

/** Returns a name that no parameter has: the wish, else the wish with a number. */
export const freeName = (draft: Json, wish: string): string => {
  const names = new Set(paramNames(draft));
  const base = /^[A-Za-z]\w{0,28}$/.test(wish) ? wish : 'value';
  if (!names.has(base)) return base;
  for (let number = 2; ; number += 1) {
    if (!names.has(`${base}${number}`)) return `${base}${number}`;
  }
};

/** Declares a parameter. */
export const addParam = (draft: Json, name: string, standard: number): Json =>
  setAt(draft, ['params', name], { default: standard });

/** Makes the number at a place a parameter, with the number as its default. */
export const makeParam = (draft: Json, path: Path, name: string): Json => {
  const number = getAt(draft, path);
  const declared = addParam(draft, name, typeof number === 'number' ? number : 1);
  return setAt(declared, path, { param: name });
};

/** Renames a parameter where it is declared and used. Its place in the list stays. No-op for a taken name. */
export const renameParam = (draft: Json, from: string, to: string): Json => {
  const params = paramsOf(draft);
  if (from === to || Object.hasOwn(params, to) || !Object.hasOwn(params, from)) return draft;
  const renamed = Object.entries(params).map(([name, declared]): [string, Json] => [
    name === from ? to : name,
    declared,
  ]);
  const referred = changeReferences(draft, (name) => (name === from ? { param: to } : undefined));
  return setAt(referred, ['params'], Object.fromEntries(renamed));
};

/** Removes a parameter. Its default takes the place of each reference. */
export const removeParam = (draft: Json, name: string): Json => {
  const standard = getAt(draft, ['params', name, 'default']);
  return removeAt(
    changeReferences(draft, (each) => (each === name ? standard : undefined)),
    ['params', name],
  );
};
