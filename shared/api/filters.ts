import * as z from 'zod';
import { extra, storedInteger, timeOfRequest } from './fields.ts';

/** Query parameters that choose entries by time and symbol. */
export const entryFilters = {
  from: extra(timeOfRequest().optional()),
  to: extra(timeOfRequest().optional()),
  symbol: extra(z.string().optional()),
} as const;

export interface EntryFilter {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly symbol?: string | undefined;
}

/** Query parameters that choose the order of a list, and where a filtered answer goes on. */
export const listChoice = {
  sort: extra(z.enum(['newest', 'oldest']).default('newest')),
  cursor: extra(storedInteger().min(0).optional()),
} as const;

const folded = (symbol: string): string => symbol.normalize('NFKC').trim().toUpperCase();

/** Tells whether an entry is of the symbol, and its time in milliseconds at or after `from` and before `to`. */
export const chosenBy = ({
  from,
  to,
  symbol,
}: EntryFilter): ((entry: { readonly at: number; readonly symbol: string | undefined }) => boolean) => {
  const first = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const end = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to);
  const wanted = symbol === undefined ? undefined : folded(symbol);
  return (entry) =>
    entry.at >= first &&
    entry.at < end &&
    (wanted === undefined || (entry.symbol !== undefined && folded(entry.symbol) === wanted));
};

/** Returns whether no filter is given. */
export const isUnfiltered = (filter: Readonly<Record<string, unknown>>): boolean =>
  Object.values(filter).every((value) => value === undefined);

/** Declares a parameter with one or several names, separated by commas. */
export const nameList = <const Name extends string>(names: readonly Name[]) =>
  z.string().refine((text) => namesIn(text).every((name) => names.some((known) => known === name)), {
    error: `value is not a list of names; permitted: ${names.join(', ')}`,
    params: { type: 'type_error.enum' },
  });

/** Reads the names of a {@link nameList}. */
export const namesIn = (text: string): string[] => text.split(',').map((name) => name.trim().toLowerCase());
