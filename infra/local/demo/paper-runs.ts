import { findSeries } from '../../../shared/data/candles/series.ts';
import { ENGINE_ENDED, ENGINE_REQUESTED } from '../../../shared/data/engine/events.ts';
import {
  type BarColumns,
  barCount,
  firstBarFrom,
  listBars,
  sliceBars,
} from '../../../shared/domain/candles/bars.ts';
import { listShipped, readShipped, type ShippedSeries } from '../../candles/load.ts';
import type { Past } from './past.ts';
import type { DemoPerson, Made } from './person.ts';
import type { DemoStrategy } from './strategies.ts';

/** The most bars of an event. */
const MAX_BARS = 500;

const nameOf = ({ symbol, timeframe }: { readonly symbol: string; readonly timeframe: string }): string =>
  `${symbol} ${timeframe}`;

/** Returns a reader of the shipped candles that leaves out those that the runs on paper of strategies trade. */
export const beforePaperRuns = (strategies: readonly DemoStrategy[]) => {
  const begun = new Map(strategies.flatMap((one) => (one.paper ? [[nameOf(one), one.paper.from]] : [])));
  return (shipped: ShippedSeries): BarColumns => {
    const bars = readShipped(shipped);
    const from = begun.get(nameOf(shipped));
    return from === undefined ? bars : sliceBars(bars, 0, firstBarFrom(bars, Date.parse(from)));
  };
};

const isoOf = (time: number): string => new Date(time).toISOString();

/** Feeds the shipped candles of a series that are not stored yet. */
const feedRest = async (past: Past, shipped: ShippedSeries): Promise<void> => {
  const { symbol, timeframe, source } = shipped;
  const bars = readShipped(shipped);
  const [series] = await findSeries(past.store, symbol, [timeframe]);
  const rest = sliceBars(bars, series ? firstBarFrom(bars, series.last + 1) : barCount(bars));
  for (let at = 0; at < barCount(rest); at += MAX_BARS) {
    const batch = listBars(sliceBars(rest, at, Math.min(at + MAX_BARS, barCount(rest))));
    await past.feed(source, 'Bars Closed', {
      symbol,
      timeframe,
      bars: batch.map((bar) => ({ ...bar, start: isoOf(bar.start) })),
    });
  }
};

/** A strategy that runs on paper, and its owner. */
export interface PaperRunner {
  readonly strategy: DemoStrategy;
  readonly made: Made;
  readonly owner: DemoPerson;
}

/**
 * Deploys strategies on paper, lets the engine trade the end of the recorded candles, and stops the deployments. The
 * cards show their figures as of the last candle. A repeat goes on after a start that was cut short.
 */
export const runOnPaper = async (past: Past, runners: readonly PaperRunner[]): Promise<void> => {
  const deployed: { readonly id: number; readonly runner: PaperRunner }[] = [];
  for (const runner of runners) {
    const { made, owner, strategy } = runner;
    if (!strategy.paper) continue;
    const { commission_rate } = strategy.paper;
    const form = { mode: 'virtual', starting_capital: '25000', currency: 'USD', commission_rate };
    const id = (await owner.deployed('trading', made)) ?? (await owner.deploy('trading', made, {}, form));
    await past.engine(ENGINE_REQUESTED, id);
    deployed.push({ id, runner });
  }
  for (const shipped of listShipped()) {
    const onSeries = deployed.filter(({ runner }) => nameOf(runner.strategy) === nameOf(shipped));
    if (onSeries.length === 0) continue;
    await feedRest(past, shipped);
    for (const { id, runner } of onSeries) {
      await runner.owner.stop(id);
      await past.engine(ENGINE_ENDED, id);
      await past.settle(id);
    }
  }
};
