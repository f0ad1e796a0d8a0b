import type { StrategyPerformance } from '../../../../infra/client/package/src/index.ts';
import { SUFFICIENT_DAYS } from '../../../../shared/domain/track-records/sufficient.ts';
import { format } from '../format.ts';
import { countText } from './texts.ts';

const DAY_MS = 86_400_000;

type Shown = Pick<
  StrategyPerformance,
  'since' | 'as_of' | 'status' | 'sample_sufficient' | 'unranked' | 'author_records'
>;

/** Says of how many records one is chosen: many records of an author have good ones among them by luck. */
const amongText = (count: number | null): string => {
  if (count === null) return '';
  return count === 1 ? ', the only one of its author' : `, 1 of ${format.count(count)} of its author`;
};

/** Says how long a track record is: `record of 120 days, from bars after Mar 3, 2026, 1 of 7 of its author`. */
export const recordText = ({ since, as_of, author_records }: Shown): string => {
  if (since === null) return '';
  const from = `from bars after ${format.day(since).text}${amongText(author_records)}`;
  if (as_of === null) return from;
  const days = Math.max(0, Math.floor((Date.parse(as_of) - Date.parse(since)) / DAY_MS));
  return `record of ${countText(days, 'day')}, ${from}`;
};

const STATES: Readonly<Record<string, string>> = {
  waiting: 'It begins once the hub has candles of its symbols.',
  computing: 'It begins with the next bars. The backtest of before is being computed.',
  stale: 'It has had no new bars for three sessions, so it is not ranked.',
  ended: 'It has ended.',
};

const CAUSES: Readonly<Record<string, string>> = {
  no_reference_candles: 'The hub has no candles of its symbols.',
  currencies_differ: 'Its symbols have prices in several currencies, so it has no figures.',
  order_size: 'Its orders are large for its market, so it is not ranked.',
  candles_removed: 'Candles of its symbols were removed.',
  too_large: 'Its computation is too large.',
};

/** Says why a track record is not ranked; undefined if it is. */
export const stateText = ({ status, unranked, sample_sufficient }: Shown): string | undefined => {
  if (unranked !== null) return CAUSES[unranked] ?? 'It is not ranked.';
  if (status !== null && status !== 'running') return STATES[status] ?? 'It is not ranked.';
  return sample_sufficient
    ? undefined
    : `Below ${SUFFICIENT_DAYS} days a record is too short for figures per year and for rankings.`;
};
