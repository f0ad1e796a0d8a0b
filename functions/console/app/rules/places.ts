import { getAt, isList, isRecord, type Json, type JsonRecord, type Path, pathKey } from './json.ts';
import {
  ARITHMETIC,
  conditionRows,
  distanceForm,
  indicatorForm,
  isScalar,
  operandKindOf,
  patternForm,
  sizeForm,
} from './parts.ts';
import { PRICE } from './schema-slots.ts';
import { STOPS } from './stops.ts';

/** Place that rows show. `isWhole` marks a value that one field or one row shows whole. */
export interface Place {
  readonly path: Path;
  readonly isWhole: boolean;
}

const whole = (path: Path): Place => ({ path, isWhole: true });
const part = (path: Path): Place => ({ path, isWhole: false });

function* operandPlaces(root: Json, path: Path): Generator<Place> {
  const value = getAt(root, path);
  const kind = operandKindOf(value);
  const pair = ARITHMETIC.find((each) => each === kind);
  if (pair) {
    yield part(path);
    yield* operandPlaces(root, [...path, pair, 0]);
    yield* operandPlaces(root, [...path, pair, 1]);
    return;
  }
  const form = indicatorForm(value);
  if (form) {
    yield part(path);
    yield whole([...path, 'indicator']);
    for (const { name } of form.slots) yield whole([...path, name]);
    return;
  }
  if (kind === 'price') {
    yield part(path);
    for (const { name } of PRICE.slots) yield whole([...path, name]);
  } else if (kind === 'trade') {
    yield part(path);
    yield whole([...path, 'trade']);
  } else yield whole(path);
}

function* conditionPlaces(root: Json, when: Path): Generator<Place> {
  for (const { path, kind } of conditionRows(root, when)) {
    if (kind === 'other') yield whole(path);
    else yield part(path);
    if (kind === 'comparison') {
      yield* operandPlaces(root, [...path, 'left']);
      yield whole([...path, 'op']);
      yield* operandPlaces(root, [...path, 'right']);
    } else if (kind === 'between') {
      yield* operandPlaces(root, [...path, 'value']);
      yield part([...path, 'between']);
      yield* operandPlaces(root, [...path, 'between', 0]);
      yield* operandPlaces(root, [...path, 'between', 1]);
    } else if (kind === 'rising' || kind === 'falling') {
      yield* operandPlaces(root, [...path, kind]);
      yield whole([...path, 'bars']);
    } else if (kind === 'pattern') {
      yield whole([...path, 'pattern']);
      for (const { name } of patternForm(getAt(root, path))?.slots ?? []) yield whole([...path, name]);
    } else if (kind === 'time') {
      yield part([...path, 'time']);
      yield whole([...path, 'time', 0]);
      yield whole([...path, 'time', 1]);
    } else if (kind === 'all' || kind === 'any') yield part([...path, kind]);
    else if (kind !== 'other' && kind !== 'not') yield whole([...path, kind]);
  }
}

function* formPlaces(path: Path, form: ReturnType<typeof sizeForm>): Generator<Place> {
  if (!form) {
    yield whole(path);
    return;
  }
  yield part(path);
  yield whole([...path, 'type']);
  for (const { name } of form.slots) yield whole([...path, name]);
}

function* entryPlaces(root: Json, path: Path, entry: JsonRecord): Generator<Place> {
  yield whole([...path, 'side']);
  yield* conditionPlaces(root, [...path, 'when']);
  for (const order of ['limit', 'stop']) {
    if (!isRecord(entry[order])) yield whole([...path, order]);
    else {
      yield part([...path, order]);
      yield whole([...path, order, 'percent']);
    }
  }
  yield whole([...path, 'valid_bars']);
  yield* formPlaces([...path, 'size'], sizeForm(entry.size));
  for (const stop of STOPS) yield* formPlaces([...path, stop], distanceForm(entry[stop]));
}

function* listPlaces(root: Json, name: 'entries' | 'exits'): Generator<Place> {
  const members = getAt(root, [name]);
  if (!isList(members)) {
    yield whole([name]);
    return;
  }
  yield part([name]);
  for (const [index, member] of members.entries()) {
    const path = [name, index];
    if (!isRecord(member)) {
      yield whole(path);
      continue;
    }
    yield part(path);
    if (name === 'entries') {
      yield* entryPlaces(root, path, member);
      continue;
    }
    yield whole([...path, 'side']);
    yield* conditionPlaces(root, [...path, 'when']);
    yield whole([...path, 'portion']);
  }
}

function* paramPlaces(params: Json | undefined): Generator<Place> {
  if (params !== undefined && !isRecord(params)) {
    yield whole(['params']);
    return;
  }
  yield part(['params']);
  for (const [name, declared] of Object.entries(params ?? {})) {
    const path = ['params', name];
    if (!isRecord(declared)) {
      yield whole(path);
      continue;
    }
    yield part(path);
    for (const field of ['default', 'min', 'max']) yield whole([...path, field]);
  }
}

function* sessionPlaces(session: Json | undefined): Generator<Place> {
  if (session === undefined || !isRecord(session)) {
    yield whole(['session']);
    return;
  }
  yield part(['session']);
  yield whole(['session', 'weekdays']);
  if (isList(session.entries)) {
    yield part(['session', 'entries']);
    yield whole(['session', 'entries', 0]);
    yield whole(['session', 'entries', 1]);
  } else yield whole(['session', 'entries']);
  yield whole(['session', 'square_off']);
}

/** Lists the places that rows show. Problems are shown at the nearest. */
export function* placesOf(root: Json): Generator<Place> {
  yield part([]);
  if (!isRecord(root)) return;
  yield whole(['schema']);
  yield* paramPlaces(root.params);
  yield* listPlaces(root, 'entries');
  yield* listPlaces(root, 'exits');
  for (const field of ['reverse', 'pyramid', 'max_trades', 'cooldown_bars']) yield whole([field]);
  yield* sessionPlaces(root.session);
}

/** Returns the place that is nearest to a path: the path itself, else the innermost around it. */
export const nearestPlace = (places: ReadonlyMap<string, Path>, path: readonly PropertyKey[]): Path => {
  for (let length = path.length; length > 0; length -= 1) {
    const place = places.get(pathKey(path.slice(0, length)));
    if (place) return place;
  }
  return [];
};

/** Returns the places that rows show, by their keys. */
export const placesByKey = (root: Json): ReadonlyMap<string, Path> =>
  new Map([...placesOf(root)].map(({ path }) => [pathKey(path), path]));

/** Returns whether rows can show rules; others are edited as text. */
export const canShowRows = (root: Json): boolean =>
  isRecord(root) &&
  isList(root.entries) &&
  root.entries.every(isRecord) &&
  (root.exits === undefined || (isList(root.exits) && root.exits.every(isRecord))) &&
  (root.session === undefined || isRecord(root.session)) &&
  (root.params === undefined || (isRecord(root.params) && Object.values(root.params).every(isRecord))) &&
  [root.max_trades, root.cooldown_bars].every(isScalar);
