import * as z from 'zod';
import type { Timeframe } from '../../domain/strategies/strategies.ts';
import { type OnDamaged, parseReadable, placeByKey } from '../table/damaged-items.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';

/** Seconds for which a match is kept. */
const KEEP_S = 7 * 86_400;

const matchSchema = z.object({
  symbol: z.string(),
  /** Start of the bar. */
  start: z.number(),
  /** The bar is complete when the feed's watermark is here. */
  until: z.number(),
  price: z.number(),
  /** Side of the first entry whose condition holds. */
  side: z.enum(['long', 'short']),
  expires_at_s: z.number(),
});

/** An instrument on which an entry's condition holds at a bar. */
export type Match = Omit<z.output<typeof matchSchema>, 'expires_at_s'>;

/** Rules on the bars of a timeframe that are made from those of a feed. */
export interface MatchScope {
  readonly rules_hash: string;
  readonly timeframe: Timeframe;
  readonly feed: string;
}

const seconds = (now: Date): number => Math.floor(now.getTime() / 1000);

/** Stores matches for a week. A repeat writes the same items. */
export const writeMatches = (
  store: Store,
  { rules_hash, timeframe, feed }: MatchScope,
  matches: readonly Match[],
  now: Date,
): Promise<void> =>
  store.batchWrite(
    matches.map((match) => ({
      put: {
        ...match,
        ...keys.scanMatch(rules_hash, timeframe, feed, match.until, match.symbol),
        entity: 'scan_match',
        expires_at_s: seconds(now) + KEEP_S,
      },
    })),
  );

/**
 * Finds the matches at bars that became complete after a watermark, up to another, in the order of bars. Omits those that
 * cannot be read, which it reports.
 */
export const findMatches = async (
  store: Store,
  { rules_hash, timeframe, feed }: MatchScope,
  { after, through }: { readonly after: number; readonly through: number },
  { now, onDamaged }: { readonly now: Date; readonly onDamaged: OnDamaged },
): Promise<Match[]> => {
  const first = keys.scanMatch(rules_hash, timeframe, feed, after + 1, '');
  const end = keys.scanMatch(rules_hash, timeframe, feed, through + 1, '');
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :end',
    ExpressionAttributeValues: { ':pk': first.pk, ':first': first.sk, ':end': end.sk },
    ConsistentRead: true,
  });
  const found = parseReadable(matchSchema, items, placeByKey, onDamaged);
  return found.filter((match) => match.expires_at_s > seconds(now));
};
