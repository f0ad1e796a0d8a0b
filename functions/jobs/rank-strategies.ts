import * as z from 'zod';
import { readCatalogue } from '../../shared/data/rankings/catalogue-cards.ts';
import { readPools, savePools } from '../../shared/data/rankings/pools.ts';
import { writeRankings } from '../../shared/data/rankings/rankings.ts';
import type { DamagedItemError, OnDamaged } from '../../shared/data/table/damaged-items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { countIn } from '../../shared/data/track-records/counts.ts';
import { addToPools, type Pools, rowOf } from '../../shared/domain/rankings/rankings.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { type Batch, roundJob } from './round-job.ts';
import { hourlyRound } from './rounds.ts';

/** Cards of one read, which ends at 1 MB before, and reads of a batch. */
const PAGE = 1000;
const PAGES = 10;

const cursorSchema = z.object({
  /** Place in the catalogue to go on from. */
  from: z.int(),
  /** Records of all authors at the beginning of the round: all figures of a round are deflated by the same number. */
  records: z.int(),
});

type Cursor = z.output<typeof cursorSchema>;

const begin = async ({ store }: Runtime): Promise<Cursor> => {
  const [count] = await store.getMany([keys.allRecordsCount()], { consistent: true });
  return { from: 0, records: countIn(count) };
};

/** Returns the place and the pools to go on with. A round whose pools are damaged or of another run begins again. */
const goOn = async (
  runtime: Runtime,
  cursor: string | undefined,
  onDamaged: OnDamaged,
): Promise<Cursor & { pools: Pools }> => {
  if (cursor !== undefined) {
    const at = cursorSchema.parse(JSON.parse(cursor));
    const pools = await readPools(runtime.store, at.from, onDamaged);
    if (pools) return { ...at, pools };
  }
  return { ...(await begin(runtime)), pools: new Map() };
};

/**
 * Ranks the strategies of the catalogue by what their cards show. Reads the catalogue once a round, and keeps of each
 * category only what can get into a ranking.
 */
export const rankStrategies = roundJob({
  name: 'rank-strategies',
  summary: 'Ranks the strategies of the explore catalogue',
  expression: 'rate(5 minutes)',
  timeZone: 'UTC',
  uses: [],
  round: hourlyRound,
  batch: async (runtime, { cursor, hasTime }): Promise<Batch> => {
    const { store, clock } = runtime;
    const errors: DamagedItemError[] = [];
    const onDamaged: OnDamaged = (error) => errors.push(error);
    const { from, records, pools } = await goOn(runtime, cursor, onDamaged);
    const found = [];
    let place: number | undefined = from;
    let done = 0;
    for (let page = 0; place !== undefined && page < PAGES && (page === 0 || hasTime()); page++) {
      const { cards, next } = await readCatalogue(store, place, PAGE, onDamaged);
      done += cards.length;
      for (const card of cards) {
        const row = rowOf(card, records);
        if (row) found.push({ ...card, row });
      }
      place = next;
    }
    const all = addToPools(pools, found);
    if (place === undefined) await writeRankings(store, all, { records, now: clock() });
    else await savePools(store, all, place);
    return {
      cursor: place === undefined ? undefined : JSON.stringify({ from: place, records }),
      done,
      counts: { ranked: found.length },
      errors,
    };
  },
});
