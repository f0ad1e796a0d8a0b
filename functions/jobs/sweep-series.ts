import { findReadableSeries } from '../../shared/data/candles/series.ts';
import { SERIES_UNSETTLED } from '../../shared/data/engine/events.ts';
import { listSeriesInUse, noteSeen, type SeriesInUse } from '../../shared/data/engine/series-in-use.ts';
import { putInOutbox } from '../../shared/data/outbox/outbox.ts';
import type { OnDamaged } from '../../shared/data/table/damaged-items.ts';
import { textId } from '../../shared/ids.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { dueJob } from './due-job.ts';

interface Due {
  readonly used: SeriesInUse;
  readonly rev: number;
}

const nameOf = ({ symbol, timeframe }: Pick<SeriesInUse, 'symbol' | 'timeframe'>): string =>
  `${timeframe} ${symbol}`;

/** Finds the series with changes that no run of the engine is known to have worked on. */
const findUnsettled = async ({ store }: Runtime, limit: number, onDamaged: OnDamaged): Promise<Due[]> => {
  const all = await listSeriesInUse(store, onDamaged);
  const heads = await findReadableSeries(store, all, onDamaged);
  const revs = new Map(heads.map((series) => [nameOf(series), series.rev]));
  return all
    .flatMap((used): Due[] => {
      const rev = revs.get(nameOf(used));
      return rev !== undefined && rev !== used.settled_rev ? [{ used, rev }] : [];
    })
    .slice(0, limit);
};

/** Lets the engine work on a series that has not changed since the last run; else notes that it changed. */
const attend = async ({ store, clock, random }: Runtime, { used, rev }: Due): Promise<void> => {
  if (used.seen_rev !== rev) return noteSeen(store, used, rev);
  const { symbol, timeframe } = used;
  await putInOutbox(
    store,
    textId(random),
    { kind: 'domain_event', detail_type: SERIES_UNSETTLED, detail: { version: 1, symbol, timeframe } },
    clock(),
  );
};

/** Makes up for lost events of feeds: otherwise the next bar of the series would. */
export const sweepSeries = dueJob<Due>({
  name: 'sweep-series',
  summary: 'Lets the engine work on bars whose event was lost',
  expression: 'rate(5 minutes)',
  timeZone: 'UTC',
  uses: [],
  find: findUnsettled,
  attend,
  nameOf: ({ used }) => nameOf(used),
  page: 2000,
  // A series is worked on if nothing has come since the last run.
  staysDue: true,
  called: 'series',
});
