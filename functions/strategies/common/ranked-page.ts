import type { Call } from '../../../shared/api/call.ts';
import type { PageChoice } from '../../../shared/api/pages.ts';
import { entryKey } from '../../../shared/data/numbered-list/numbered-list.ts';
import { rankingIn, rankingKey } from '../../../shared/data/rankings/rankings.ts';
import { EXPLORE_LIST } from '../../../shared/data/strategies/listings.ts';
import { cardSchema } from '../../../shared/data/strategies/strategies.ts';
import { parseReadable, placeInList } from '../../../shared/data/table/damaged-items.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { belongsInto, type Ranking } from '../../../shared/domain/rankings/rankings.ts';
import { presentRanked } from '../records/published.ts';
import { readViewer } from './viewer.ts';

/**
 * Reads a page of a ranking: the ranking together with the viewer, then the cards of the page. Leaves out strategies that
 * were withdrawn since the ranking was made, or do not belong into it any more.
 */
export const readRankedPage = async (
  call: Call,
  userId: string,
  ranking: Ranking,
  { page, size }: PageChoice,
) => {
  const { marks, items } = await readViewer(call, userId, [rankingKey(ranking)]);
  const { seqs, records_begun: records } = rankingIn(itemWith(items, rankingKey(ranking)), call.onDamaged);
  const places = seqs.slice((page - 1) * size, page * size);
  // Reads eventually consistent: half the cost, and a ranking is up to an hour behind.
  const found = await call.store.getMany(places.map((seq) => entryKey(EXPLORE_LIST, seq)));
  const present = found.filter((item) => item !== undefined);
  const cards = parseReadable(cardSchema, present, placeInList, call.onDamaged);
  return {
    items: cards
      .filter((card) => belongsInto(ranking, card))
      .map((card) => presentRanked(card, marks, records)),
    total: seqs.length,
  };
};
