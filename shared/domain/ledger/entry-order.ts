import { type Decimal, decimal } from '../money.ts';
import { compareOrderIds } from '../orders/compare-order-ids.ts';
import { splitQuantity } from '../splits/ratio.ts';
import type { Account } from './account.ts';
import { type Entry, entriesSince } from './entries.ts';

/** Books before the entries that are to be ordered. */
type Books = Pick<Account, 'symbols'>;

const placeOf = (entry: Entry): number | null => {
  if (entry[0] === 'split') return null;
  return entry[0] === 'fill' ? entry[10] : entry[5];
};

/** Positions by symbol. */
type Held = Map<string, Decimal>;

const heldIn = (held: Held, { symbols }: Books, symbol: string): Decimal =>
  held.get(symbol) ?? decimal(symbols[symbol]?.position?.quantity ?? '0');

const heldAfter = (held: Decimal, entry: Entry): Decimal => {
  if (entry[0] === 'fill') return held.plus(entry[5]);
  return entry[0] === 'split' ? splitQuantity(held, { units: entry[4], of: entry[5] }) : held;
};

/**
 * Ranks an entry among those of its time by the position of its symbol; the least comes next. The hub's engine knows the
 * order of its own. Of others, swap and a correction are of what is held, and an exit comes before an entry: first a fill
 * that only reduces the position, then one that also opens the opposite one. A split comes after all of them.
 */
const rankOf = (entry: Entry, held: Decimal): number => {
  if (entry[0] === 'split') return 7;
  if (placeOf(entry) !== null) return 0;
  const isFlat = held.eq(0);
  if (entry[0] === 'swap') return isFlat ? 6 : 1;
  const quantity = decimal(entry[5]);
  if (quantity.eq(0)) return 2;
  if (isFlat || quantity.gt(0) === held.gt(0)) return 5;
  return quantity.abs().lte(held.abs()) ? 3 : 4;
};

const createdOf = (entry: Entry): number => (entry[0] === 'fill' ? entry[9] : Number.MAX_VALUE);

/** Compares two entries of one rank by values that do not depend on their arrival. Swap of one place comes after fills. */
const compareSame = (left: Entry, right: Entry): number =>
  (placeOf(left) ?? 0) - (placeOf(right) ?? 0) ||
  createdOf(left) - createdOf(right) ||
  compareOrderIds(left[3], right[3]);

/**
 * Orders entries of one time. The first of several steps of an order is the next one of it. Each choice depends on the
 * positions and on the entries that are left alone, so it is the same if a part was settled before.
 *
 * @param held positions before; changed to those after.
 */
const inTurn = (before: Books, held: Held, entries: readonly Entry[]): Entry[] => {
  const left = [...entries];
  const ordered: Entry[] = [];
  while (left.length > 0) {
    const ids = new Set<string>();
    let next: { readonly entry: Entry; readonly rank: number } | undefined;
    for (const entry of left) {
      const [kind, , symbol, id] = entry;
      if (ids.has(`${kind} ${id}`)) continue;
      ids.add(`${kind} ${id}`);
      const rank = rankOf(entry, heldIn(held, before, symbol));
      if (!next || (rank - next.rank || compareSame(entry, next.entry)) < 0) next = { entry, rank };
    }
    if (!next) break;
    const { entry } = next;
    left.splice(left.indexOf(entry), 1);
    ordered.push(entry);
    held.set(entry[2], heldAfter(heldIn(held, before, entry[2]), entry));
  }
  return ordered;
};

/**
 * Returns entries in the order in which they count: by time, then by what they do to the position of that moment. The
 * order does not depend on their arrival. Steps of one order at one time must be in the order of their quantities.
 *
 * @param before the books before the entries.
 */
export const inOrder = (before: Books, entries: readonly Entry[]): Entry[] => {
  const sorted = [...entries].sort((left, right) => left[1] - right[1]);
  const held: Held = new Map();
  let counted = 0;
  for (let from = 0; from < sorted.length; ) {
    const at = sorted[from]?.[1];
    let to = from + 1;
    while (sorted[to]?.[1] === at) to += 1;
    if (to - from > 1) {
      for (const entry of sorted.slice(counted, from)) {
        held.set(entry[2], heldAfter(heldIn(held, before, entry[2]), entry));
      }
      sorted.splice(from, to - from, ...inTurn(before, held, sorted.slice(from, to)));
      counted = to;
    }
    from = to;
  }
  return sorted;
};

/**
 * Returns whether an entry counts after all entries of a ledger.
 *
 * @param head the books after them.
 */
export const isLast = (entries: readonly Entry[], head: Books, entry: Entry): boolean => {
  const [, at] = entry;
  const last = entries.at(-1);
  if (last === undefined || last[1] < at) return true;
  const same = entriesSince(entries, at);
  // The position before a split has other units.
  if (last[1] > at || [...same, entry].some(([kind]) => kind === 'split')) return false;
  const held: Held = new Map();
  for (const [kind, , symbol, , , quantity] of same) {
    if (kind === 'fill') held.set(symbol, heldIn(held, head, symbol).minus(quantity));
  }
  return inTurn(head, held, [...same, entry]).at(-1) === entry;
};
