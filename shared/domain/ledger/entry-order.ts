import { type Decimal, decimal } from '../money.ts';
import { splitQuantity } from '../splits/ratio.ts';
import type { Account } from './account.ts';
import type { Entry, FillEntry } from './entries.ts';

/** Books before the entries that are to be ordered. */
type Books = Pick<Account, 'symbols'>;

const NUMBERS = new Intl.Collator('en', { numeric: true });

const compareText = (left: string, right: string): number => {
  if (left === right) return 0;
  return left < right ? -1 : 1;
};

/** Compares ids by the numbers in them: `exit-9` comes before `exit-10`. */
const compareIds = (left: string, right: string): number =>
  NUMBERS.compare(left, right) || compareText(left, right);

const quantityIn = ({ symbols }: Books, symbol: string): Decimal =>
  decimal(symbols[symbol]?.position?.quantity ?? '0');

/** Returns the position after an entry of its symbol. */
const heldAfter = (held: Decimal, entry: Entry): Decimal => {
  if (entry[0] === 'fill') return held.plus(entry[5]);
  return entry[0] === 'split' ? splitQuantity(held, { units: entry[4], of: entry[5] }) : held;
};

/**
 * Ranks an entry among those of its time by the position that it meets; the least comes next. Swap is of the position
 * held. Fills of the hub's engine keep the order in which it booked them. Of others, a correction is of what is held, and
 * an exit comes before an entry: a fill that reduces the position, then one that also opens the opposite one. A split
 * restates the position after all of them.
 */
const rankOf = (entry: Entry, held: Decimal): number => {
  const isFlat = held.eq(0);
  if (entry[0] === 'split') return 7;
  if (entry[0] === 'swap') return isFlat ? 6 : 0;
  if (entry[10] !== null) return 1;
  const quantity = decimal(entry[5]);
  if (quantity.eq(0)) return 2;
  if (isFlat || quantity.gt(0) === held.gt(0)) return 5;
  return quantity.abs().lte(held.abs()) ? 3 : 4;
};

const compareFills = (left: FillEntry, right: FillEntry): number =>
  (left[10] ?? 0) - (right[10] ?? 0) || left[9] - right[9];

/** Compares two entries of one rank by values that do not depend on their arrival. */
const compareSame = (left: Entry, right: Entry): number =>
  (left[0] === 'fill' && right[0] === 'fill' ? compareFills(left, right) : 0) ||
  compareIds(left[3], right[3]);

/**
 * Orders entries of one time and symbol. The first of several steps of an order is the next one of it. The choice depends
 * on the position and on the entries that are left alone, so a part that was settled before changes nothing.
 */
const inTurn = (entries: readonly Entry[], before: Decimal): Entry[] => {
  const left = [...entries];
  const ordered: Entry[] = [];
  let held = before;
  while (left.length > 0) {
    const ids = new Set<string>();
    let next: { readonly entry: Entry; readonly rank: number } | undefined;
    for (const entry of left) {
      const id = `${entry[0]} ${entry[3]}`;
      if (ids.has(id)) continue;
      ids.add(id);
      const rank = rankOf(entry, held);
      if (!next || (rank - next.rank || compareSame(entry, next.entry)) < 0) next = { entry, rank };
    }
    if (!next) break;
    const { entry } = next;
    left.splice(left.indexOf(entry), 1);
    ordered.push(entry);
    held = heldAfter(held, entry);
  }
  return ordered;
};

/**
 * Returns entries in the order in which they count: by time, then by symbol, then by what they do to the position of that
 * moment. The order does not depend on their arrival. Steps of one order at one time must be in the order of their
 * quantities.
 *
 * @param before the books before the entries.
 */
export const inOrder = (before: Books, entries: readonly Entry[]): Entry[] => {
  const sorted = [...entries].sort((left, right) => left[1] - right[1] || compareText(left[2], right[2]));
  const held = new Map<string, Decimal>();
  const heldIn = (symbol: string): Decimal => held.get(symbol) ?? quantityIn(before, symbol);
  let counted = 0;
  for (let from = 0; from < sorted.length; ) {
    const [, at, symbol] = sorted[from] ?? [];
    let to = from + 1;
    while (sorted[to]?.[1] === at && sorted[to]?.[2] === symbol) to += 1;
    if (symbol !== undefined && to - from > 1) {
      for (const entry of sorted.slice(counted, from)) held.set(entry[2], heldAfter(heldIn(entry[2]), entry));
      counted = from;
      sorted.splice(from, to - from, ...inTurn(sorted.slice(from, to), heldIn(symbol)));
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
  const [, at, symbol] = entry;
  const last = entries.at(-1);
  if (last === undefined || last[1] < at) return true;
  if (last[1] > at || last[2] > symbol) return false;
  if (last[2] < symbol) return true;
  const from = entries.findLastIndex((other) => other[1] !== at || other[2] !== symbol) + 1;
  const same = entries.slice(from);
  // A split is the last of its time.
  if (same.some(([kind]) => kind === 'split')) return false;
  const filled = same.reduce(heldAfter, decimal('0'));
  return inTurn([...same, entry], quantityIn(head, symbol).minus(filled)).at(-1) === entry;
};
