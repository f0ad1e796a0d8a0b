import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import {
  isSameSeries,
  type OwnSeries,
  ownSeriesIn,
  ownSeriesWrite,
} from '../../../shared/data/candles/own-series.ts';
import { factsText, type Series } from '../../../shared/data/candles/series.ts';
import { retryOnConflict } from '../../../shared/data/numbered-list/retry.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { ownCandleLimits, type Tier } from '../../../shared/domain/plans.ts';

/** Time after which a reservation is of an import that died, longer than a request may take. */
const PATIENCE_MS = 15 * 60_000;

/** Own series of a user, without its size. */
export interface Owned {
  readonly userId: string;
  readonly tier: Tier;
  readonly facts: Pick<OwnSeries, 'symbol' | 'timeframe' | 'source' | 'adjustment' | 'calendar'>;
}

const FACTS = ['source', 'adjustment', 'calendar'] as const;

type Size = Pick<Series, 'count' | 'first' | 'last'>;

type Facts = Pick<OwnSeries, 'timeframe' | 'source' | 'adjustment' | 'calendar'>;

/** Returns the refusal of candles that have other facts than those of their series. */
export const otherFacts = (stored: Facts, facts: Facts): HubError => {
  const [has, gets] = [stored, facts].map(factsText);
  const difference =
    has === gets
      ? 'of another exchange or class of the instrument'
      : `from the ${has}, and these are from the ${gets}`;
  return new HubError(
    'state_conflict',
    `You have candles of this symbol and timeframe ${difference}. Remove them first.`,
  );
};

const tooMany = (what: string, tier: Tier): HubError =>
  new HubError(
    'quota_reached',
    `Your account holds no more ${what} of your own. Remove some that you do not need${tier === 'unproven' && what === 'candles' ? ', or confirm your e-mail to hold more' : ''}.`,
  );

const byName = (one: OwnSeries, other: OwnSeries): number =>
  `${one.symbol} ${one.timeframe}` < `${other.symbol} ${other.timeframe}` ? -1 : 1;

/**
 * Changes the noted size of a series. Its entry decides between imports of other facts at the same time.
 *
 * @throws HubError quota_reached if it grows beyond the limits of the user, state_conflict if it has other facts.
 */
const changeSize = (
  call: Call,
  { userId, tier, facts }: Owned,
  sizeAfter: (known: OwnSeries | undefined) => Size,
): Promise<OwnSeries> =>
  retryOnConflict(async () => {
    const [item] = await call.store.getMany([keys.ownSeries(userId)], { consistent: true });
    const owned = ownSeriesIn(item);
    const known = owned.list.series.find((one) => isSameSeries(one, facts));
    if (known && FACTS.some((name) => known[name] !== facts[name])) throw otherFacts(known, facts);
    const others = owned.list.series.filter((one) => one !== known);
    const { count, first, last } = sizeAfter(known);
    const entry = { ...known, ...facts, count, first, last, changed_at: call.now.toISOString() };
    const limits = ownCandleLimits(tier);
    if (!known && others.length >= limits.series) throw tooMany('series', tier);
    const total = others.reduce((sum, other) => sum + other.count, count);
    if (count > (known?.count ?? 0) && total > limits.candles) throw tooMany('candles', tier);
    await call.store.transact([ownSeriesWrite(userId, owned, [...others, entry].sort(byName))]);
    return entry;
  });

/**
 * Reserves the room for new candles before they are written, so that imports at the same time do not exceed the plan
 * together.
 *
 * @param size size of the stored series with the new candles.
 * @throws HubError quota_reached, state_conflict
 */
export const reserveRoom = (call: Call, owned: Owned, size: Size, added: number): Promise<OwnSeries> =>
  changeSize(call, owned, (known) => {
    const isOld = known && call.now.getTime() - Date.parse(known.changed_at) > PATIENCE_MS;
    return { ...size, count: known && !isOld ? known.count + added : size.count };
  });

/**
 * Notes the size of a series after an import, if it differs from the one that was reserved: after another import of the
 * same candles, or a removal, at the same time.
 *
 * @param unused candles that were reserved and not added.
 */
export const noteSize = (call: Call, owned: Owned, size: Size, unused: number): Promise<OwnSeries> =>
  changeSize(call, owned, (known) => ({ ...size, count: known ? known.count - unused : size.count }));
