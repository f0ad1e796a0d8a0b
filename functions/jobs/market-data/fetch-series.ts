import {
  type MarketData,
  ProviderDownError,
  RequestRefusedError,
} from '../../../shared/channels/market-data/market-data.ts';
import { kindOf } from '../../../shared/data/candles/series.ts';
import type { Bar } from '../../../shared/domain/candles/bars.ts';
import { selectPulled } from '../../../shared/domain/candles/pulled-bars.ts';
import { type DueSeries, newestOf, type PlannedRequest } from './plan.ts';

/** Bars of a series that one run takes: those of one event. The next run continues. */
const MAX_BARS = 500;
/** Pages of a request. A provider whose pages do not end keeps no other series from its turn. */
const MAX_PAGES = 20;
/** Failed requests of a run, after which the provider counts as down. */
const MAX_FAILURES = 3;
const AT_ONCE = 4;

/** Result of a request for one series. */
export type FetchedSeries = { readonly due: DueSeries } & (
  | {
      readonly bars: readonly Bar[];
      /** True if there are no more closed bars than these. */
      readonly isComplete: boolean;
      readonly refused: readonly { readonly start: number; readonly reason: string }[];
    }
  | { readonly fault: string }
);

/** Requests of a run to one provider. */
export interface FetchRun {
  /** Names the reason why the provider was not asked for the rest; undefined if it answered. */
  readonly down: () => ProviderDownError | undefined;
  /** True if requests are left for the next run. */
  readonly isCut: () => boolean;
  readonly fetchAll: (
    planned: readonly PlannedRequest[],
    take: (fetched: readonly FetchedSeries[]) => Promise<void>,
  ) => Promise<void>;
}

/** Starts the requests of a run to one provider, within its limits and the time of the run. */
export const startFetching = (provider: MarketData, hasTime: () => boolean): FetchRun => {
  let requests = 0;
  let answers = 0;
  let failures = 0;
  let nearLimit = false;
  let isCut = false;
  let down: ProviderDownError | undefined;
  let last: ProviderDownError | undefined;

  const mayAsk = (): boolean => {
    if (down !== undefined) return false;
    if (!nearLimit && requests < provider.maxRequests && hasTime()) return true;
    isCut = true;
    return false;
  };

  /** Records a failure of the provider. A single slow answer does not end the run. */
  const fail = (error: ProviderDownError): void => {
    failures += 1;
    last = error;
    if (error.isFinal || failures >= MAX_FAILURES) down ??= error;
  };

  const fetchOne = async ({ request, due }: PlannedRequest): Promise<FetchedSeries[]> => {
    const given = new Map<string, Bar[]>();
    const faults = new Map<string, string>();
    const select = (one: DueSeries) =>
      selectPulled(given.get(one.symbol) ?? [], {
        series: { ...kindOf(one.series), timeframe: one.series.timeframe },
        timeframe: request.timeframe,
        ...newestOf(one.series, request.to),
        closedBy: one.closedBy,
      });
    let page: string | undefined;
    let isEnd = false;
    for (let pages = 0; !isEnd && mayAsk(); pages++) {
      if (pages === MAX_PAGES) throw new RequestRefusedError('the pages do not end');
      requests += 1;
      const got = await provider.fetchPage({ ...request, symbols: due.map(({ symbol }) => symbol), page });
      answers += 1;
      nearLimit ||= got.nearLimit;
      for (const [symbol, fault] of got.faults) faults.set(symbol, fault);
      for (const [symbol, bars] of got.bars) given.set(symbol, [...(given.get(symbol) ?? []), ...bars]);
      page = got.next;
      isEnd = page === undefined;
      if (due.length === 1 && due.every((one) => select(one).bars.length >= MAX_BARS)) break;
    }
    // Bars of a symbol may be on the pages that were not read.
    if (!isEnd && due.length > 1) {
      isCut = true;
      return [];
    }
    return due.map((one) => {
      const fault = faults.get(one.symbol);
      if (fault !== undefined) return { due: one, fault };
      const { bars: selected, refused } = select(one);
      // The last derived bar may lack smaller bars of pages that were not read.
      const isCutShort = !isEnd && request.timeframe !== one.series.timeframe;
      const bars = isCutShort ? selected.slice(0, -1) : selected;
      return {
        due: one,
        bars: bars.slice(0, MAX_BARS),
        isComplete: isEnd && bars.length <= MAX_BARS,
        refused,
      };
    });
  };

  /** Fetches series. Divides a request that the provider refuses, so that one symbol does not stop the others. */
  const fetchDivided = async (planned: PlannedRequest): Promise<FetchedSeries[]> => {
    if (!mayAsk()) return [];
    try {
      return await fetchOne(planned);
    } catch (error) {
      if (error instanceof ProviderDownError) {
        fail(error);
        return [];
      }
      if (!(error instanceof RequestRefusedError)) throw error;
      answers += 1;
      const { request, due } = planned;
      if (due.length === 1) return due.map((one) => ({ due: one, fault: error.message }));
      const half = Math.ceil(due.length / 2);
      const first = await fetchDivided({ request, due: due.slice(0, half) });
      return [...first, ...(await fetchDivided({ request, due: due.slice(half) }))];
    }
  };

  return {
    down: () => down,
    isCut: () => isCut,
    fetchAll: async (planned, take) => {
      const waiting = [...planned];
      const work = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          await take(await fetchDivided(next));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      // Fewer requests than the limit of failures, and none was answered.
      if (answers === 0) down ??= last;
    },
  };
};
