import { useEffect, useRef, useState } from 'preact/hooks';
import type { BacktestIn, BacktestRun, RulesChart } from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';

/** Rules and candles whose result is shown while they are edited. */
export interface LiveRequest {
  /** Request of the backtest. */
  readonly body: BacktestIn;
  /** Symbol and number of bars of the chart. */
  readonly symbol: string;
  readonly bars: number;
}

/** Newest result of edited rules. Figures and chart of before stay until newer ones come. */
export interface Live {
  readonly result?: BacktestRun | undefined;
  readonly chart?: RulesChart | undefined;
  readonly resultError?: unknown;
  readonly chartError?: unknown;
  readonly isLoading: boolean;
}

/** Milliseconds without an edit after which the rules run. */
const SETTLE_MS = 180;

/** Sends no request again: the next edit does. */
const ONCE = { maxRetries: 0 };

const errorOf = (outcome: PromiseSettledResult<unknown>): unknown =>
  outcome.status === 'rejected' ? outcome.reason : undefined;

const resultOf = <T>(outcome: PromiseSettledResult<T>): T | undefined =>
  outcome.status === 'fulfilled' ? outcome.value : undefined;

const run = async ({ body, symbol, bars }: LiveRequest, signal: AbortSignal): Promise<Live> => {
  const { rules, params = {}, timeframe = '1d', from, to, candles = 'hub' } = body;
  const drawn = { params, symbol, timeframe, bars, candles, ...(from && { from }), ...(to && { to }) };
  const [result, chart] = await Promise.allSettled([
    hub.runBacktest({ user_id: ME, body: { ...body, preview: true } }, { signal, ...ONCE }),
    rules ? hub.chartRules({ user_id: ME, body: { ...drawn, rules } }, { signal, ...ONCE }) : undefined,
  ]);
  return {
    result: resultOf(result),
    chart: resultOf(chart),
    resultError: errorOf(result),
    chartError: errorOf(chart),
    isLoading: false,
  };
};

/** Runs rules as they are edited: once no edit came for a moment. The newest edit wins; requests of older ones are aborted. */
export const useLive = (request: LiveRequest | undefined): Live => {
  const [live, setLive] = useState<Live>({ isLoading: request !== undefined });
  const latest = useRef(request);
  latest.current = request;
  const isFirst = useRef(true);
  const key = request && JSON.stringify(request);
  useEffect(() => {
    if (key === undefined) return;
    const controller = new AbortController();
    setLive((before) => ({ ...before, isLoading: true }));
    const timer = setTimeout(
      () => {
        isFirst.current = false;
        const asked = latest.current;
        if (!asked) return;
        void run(asked, controller.signal).then((next) => {
          if (controller.signal.aborted) return;
          setLive((before) => ({
            ...next,
            chart: next.chart ?? before.chart,
            result: next.result ?? before.result,
          }));
        });
      },
      isFirst.current ? 0 : SETTLE_MS,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key]);
  return live;
};
