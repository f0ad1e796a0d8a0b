import type {
  StrategyPerformance,
  TrackRecordItem,
  TrackRecordOut,
} from '../../../../infra/client/package/src/index.ts';
import { SUFFICIENT_DAYS } from '../../../../shared/domain/track-records/sufficient.ts';
import { countText } from '../count-text.ts';
import { format } from '../format.ts';

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

const lengthOf = (since: string, until: string): string =>
  countText(Math.max(0, Math.floor((Date.parse(until) - Date.parse(since)) / DAY_MS)), 'day');

/** Says how long a track record is: `record of 120 days, from bars after Mar 3, 2026, 1 of 7 of its author`. */
export const recordText = ({ since, as_of, author_records }: Shown): string => {
  if (since === null) return '';
  const from = `from bars after ${format.day(since).text}${amongText(author_records)}`;
  if (as_of === null) return from;
  return `record of ${lengthOf(since, as_of)}, ${from}`;
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
export const stateText = ({
  status,
  unranked,
  sample_sufficient,
}: Omit<Shown, 'author_records'>): string | undefined => {
  if (unranked !== null) return CAUSES[unranked] ?? 'It is not ranked.';
  if (status !== null && status !== 'running') return STATES[status] ?? 'It is not ranked.';
  return sample_sufficient
    ? undefined
    : `Below ${SUFFICIENT_DAYS} days a record is too short for figures per year and for rankings.`;
};

type Stated = Pick<
  TrackRecordItem,
  'started_at' | 'as_of' | 'status' | 'sample_sufficient' | 'unranked' | 'ended_at' | 'hidden_at'
> &
  Partial<Pick<TrackRecordOut, 'reason'>>;

/** Says how long a track record has been made, where it stands, and how much it says. */
export const recordStates = (record: Stated): string[] => {
  const { started_at: since, as_of, ended_at, hidden_at, sample_sufficient } = record;
  const { reason = null, unranked, ...rest } = record;
  const state = stateText({ ...rest, since, sample_sufficient: true, unranked: reason ?? unranked });
  const parts = [
    ended_at === null
      ? state
      : `It ended on ${format.day(ended_at).text}: rules, instruments or timeframe of the strategy changed.`,
    ended_at === null &&
      hidden_at !== null &&
      `The strategy has not been public since ${format.day(hidden_at).text}.`,
    as_of !== null &&
      !sample_sufficient &&
      `Below ${SUFFICIENT_DAYS} days it says little: there are no figures per year, and it is not ranked.`,
  ];
  return parts.filter((part) => typeof part === 'string');
};

type Origin = Pick<TrackRecordOut, 'started_at' | 'as_of' | 'last_bar' | 'timeframe' | 'version' | 'terms'>;

/** Says where the figures of a record come from, with its length, version and terms. */
export const originTexts = ({ started_at, as_of, last_bar, timeframe, version, terms }: Origin): string[] => [
  `Made by the hub from bars after ${format.day(started_at).text}; nobody can edit it.`,
  `${as_of === null ? 'No bar yet.' : `${lengthOf(started_at, as_of)}, with bars up to ${format.bar(last_bar, timeframe).text}.`} Version ${format.count(version)} of the record, terms “${terms}”.`,
];
