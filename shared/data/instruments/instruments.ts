import {
  type Instrument,
  instrumentSchema,
  type Universe,
  universeSchema,
} from '../../domain/instruments/instrument-records.ts';
import {
  MAX_SCOPE,
  MAX_SYMBOL_TEXTS,
  MAX_TEXT,
  MAX_WORDS,
  nameText,
  RANKS,
  type SearchScope,
  symbolText,
} from '../../domain/instruments/instrument-search.ts';
import { ASSET_CLASSES, type AssetClass, normaliseSymbol } from '../../domain/instruments/instruments.ts';
import { type OnDamaged, parseReadable, placeByKey } from '../table/damaged-items.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import { instrumentsIn } from './instrument-copy.ts';

/** The most suggestions of a search. */
const MAX_SUGGESTIONS = 20;

/**
 * Reads instruments by symbol, 100 per call. Symbols match in any case.
 *
 * @returns the instruments in the order of `symbols`; undefined for unknown symbols.
 */
export const findInstruments = async (
  store: Store,
  symbols: readonly string[],
  options: { consistent?: boolean } = {},
): Promise<(Instrument | undefined)[]> => {
  const normal = symbols.map(normaliseSymbol);
  const wanted = [...new Set(normal)].filter((symbol) => symbol !== undefined);
  if (wanted.length === 0) return symbols.map(() => undefined);
  const items = await store.getMany(wanted.map(keys.instrument), options);
  const found = new Map(wanted.map((symbol, index) => [symbol, items[index]]));
  return normal.map((symbol) => {
    const item = symbol === undefined ? undefined : found.get(symbol);
    return item && parseItem(instrumentSchema, item);
  });
};

/** Reads instruments, 100 per call. Omits unknown ones, and those that cannot be read, which it reports. */
export const findReadableInstruments = async (
  store: Store,
  symbols: readonly string[],
  onDamaged: OnDamaged,
): Promise<Instrument[]> => {
  const items = await store.getMany(symbols.map(keys.instrument));
  const stored = items.filter((item) => item !== undefined);
  return parseReadable(instrumentSchema, stored, placeByKey, onDamaged);
};

/** Reads a universe. */
export const findUniverse = (store: Store, universeId: string): Promise<Universe | undefined> =>
  store.get(keys.universe(universeId), universeSchema);

interface Search {
  readonly text: string;
  readonly assetClass: AssetClass | 'any';
  readonly scope: SearchScope;
}

/** Takes from several lists in turns, so that each gets its share of the first ones. */
const inTurns = <T>(lists: readonly (readonly T[])[]): T[] =>
  Array.from({ length: Math.max(...lists.map(({ length }) => length)) }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();

const beginningWith = async (
  store: Store,
  { assetClass, scope }: Search,
  entry: { readonly rank: number; readonly text: string },
  limit: number,
  onDamaged: OnDamaged | undefined,
): Promise<Instrument[]> => {
  if (entry.text === '' || [...entry.text].length > MAX_TEXT || scope.length > MAX_SCOPE) return [];
  const copies = await Promise.all(
    (assetClass === 'any' ? ASSET_CLASSES : [assetClass]).map((one) =>
      store.queryItems({
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :beginning)',
        ExpressionAttributeValues: {
          ':pk': keys.instrumentSearch(scope, one, entry, '').pk,
          ':beginning': `${entry.rank}#${entry.text}`,
        },
        Limit: limit,
      }),
    ),
  );
  return instrumentsIn(inTurns(copies), onDamaged);
};

/**
 * Suggests instruments: first those whose symbol begins with a text, then those with a word of the name that does.
 * Costs two reads an asset class, whatever the size of the catalogue. The suggestions of several classes are mixed.
 *
 * @param onDamaged takes the errors of damaged ones. Without it, they are errors.
 */
export const suggestInstruments = async (
  store: Store,
  search: Search,
  onDamaged?: OnDamaged,
): Promise<Instrument[]> => {
  const text = symbolText(search.text);
  // An instrument may match by several texts, so the limits leave room for duplicates.
  const [bySymbol, byName] = await Promise.all([
    beginningWith(store, search, { rank: RANKS.symbol, text }, MAX_SUGGESTIONS * MAX_SYMBOL_TEXTS, onDamaged),
    beginningWith(
      store,
      search,
      { rank: RANKS.name, text: nameText(search.text) },
      MAX_SUGGESTIONS * MAX_WORDS,
      onDamaged,
    ),
  ]);
  const exactFirst = ({ symbol }: Instrument): number => (symbolText(symbol) === text ? 0 : 1);
  bySymbol.sort((a, b) => exactFirst(a) - exactFirst(b));
  const found = new Map([...bySymbol, ...byName].map((one) => [one.symbol, one]));
  return [...found.values()].slice(0, MAX_SUGGESTIONS);
};
