import { endedDeploymentWrite } from '../data/books/active-deployments.ts';
import type { BookMemory } from '../data/books/book-memory.ts';
import { asHistory, historyKey, historyWrite } from '../data/books/equity-history.ts';
import { unpackLedger } from '../data/books/packed-ledger.ts';
import { type ClosingSymbol, readDayCloses } from '../data/candles/day-closes.ts';
import { asSeries, type Series } from '../data/candles/series.ts';
import type { TradingDeployment } from '../data/deployments/deployments.ts';
import { marketClockIn } from '../data/engine/market-clock.ts';
import { asSetupMarkets } from '../data/engine/setup-markets.ts';
import type { Item } from '../data/table/attributes.ts';
import { itemWith } from '../data/table/items.ts';
import { keys } from '../data/table/keys.ts';
import type { Store } from '../data/table/store.ts';
import { closeDays } from '../domain/ledger/days.ts';
import { applyQuotes, type Quote } from '../domain/ledger/ledger-events.ts';
import { daysOf, type Ledger } from '../domain/ledger/ledger-state.ts';
import { firstOpenDay, firstPricedDay, marketDaysDue, symbolsToClose } from '../domain/ledger/market-days.ts';
import { priceInUnitsHeld, unitsHeldFrom } from '../domain/ledger/splits.ts';
import { addDays, type Day } from '../domain/periods.ts';
import type { SeriesSplit } from '../domain/splits/split-bars.ts';
import type { Runtime } from '../runtime.ts';
import { changeDeployment } from './deployment-change.ts';
import { isSettled } from './figures-end.ts';
import { withLedger } from './order-change.ts';

/** Most days that one change closes at prices of candles, and most prices. They are quotes of the ledger meanwhile. */
const MAX_PRICED_DAYS = 60;
const MAX_PRICES_AT_ONCE = 1000;

/** Days to close, and the symbols whose candles give the prices. */
export interface Closing {
  readonly through: Day;
  readonly symbols: readonly ClosingSymbol[];
}

/** Returns the day to close through, of a deployment that the hub runs. */
type MarketDays = (ledger: Ledger, newestBar: number) => Day | undefined;

/** Plans the closing for a deployment that the hub runs, at the bars of its own series. */
export const hubClosing = async (
  store: Store,
  ledger: Ledger,
  setupItem: Item | undefined,
  throughOf: MarketDays,
): Promise<Closing | undefined> => {
  const setup = asSetupMarkets(setupItem);
  if (!setup) return undefined;
  const items = await store.getMany(marketClockIn(setupItem), { consistent: true });
  const heads: Series[] = items.flatMap((item) => asSeries(item) ?? []);
  if (heads.length === 0) return undefined;
  const through = throughOf(ledger, Math.max(...heads.map(({ last }) => last)));
  if (through === undefined) return undefined;
  const held = new Set(symbolsToClose(ledger));
  const { timeframe } = setup;
  const symbols = heads.filter(({ symbol }) => held.has(symbol)).map((series) => ({ series, timeframe }));
  return { through, symbols };
};

/** Returns until when a ledger has units from before a split that it booked later than the series; -∞ without one. */
const oldUnitsUntil = ({ splits }: Ledger, symbol: string, ofSeries: readonly SeriesSplit[]): number =>
  splits?.[symbol]?.findLast(([at]) => !ofSeries.some((split) => split.at === at + 1))?.[0] ??
  Number.NEGATIVE_INFINITY;

/**
 * Returns quotes in the units of the positions of a ledger. Those from before a split that the ledger has stay. Those
 * between a split and its late booking are left out: their days are closed, at prices in old units.
 */
const quotesInUnitsHeld = (
  ledger: Ledger,
  symbols: readonly ClosingSymbol[],
  quotes: readonly Quote[],
): Quote[] => {
  const splits = new Map(symbols.map(({ series }) => [series.symbol, series.splits ?? []]));
  return quotes.flatMap((quote) => {
    const { position } = ledger.head.symbols[quote.symbol] ?? {};
    const at = Date.parse(quote.occurred_at);
    const known = splits.get(quote.symbol) ?? [];
    const before = known.filter((split) => split.at <= at);
    if (before.length === 0) return [quote];
    if (at <= oldUnitsUntil(ledger, quote.symbol, known)) return [];
    if (!position) return [quote];
    const heldFrom = unitsHeldFrom(ledger, quote.symbol, position);
    return [{ ...quote, price: priceInUnitsHeld(quote.price, heldFrom, before) }];
  });
};

/** Closes the first open days at the prices of their last bars. */
const closeNext = async (
  store: Store,
  ledger: Ledger,
  history: ReturnType<typeof asHistory>,
  { through, symbols }: Closing,
) => {
  if (symbols.length === 0) return closeDays(ledger, history, through);
  const first = firstOpenDay(ledger);
  const days = Math.max(1, Math.min(MAX_PRICED_DAYS, Math.floor(MAX_PRICES_AT_ONCE / symbols.length)));
  const end = addDays(first, days - 1);
  const last = end < through ? end : through;
  const from = firstPricedDay(
    ledger,
    symbols.map(({ series }) => series.symbol),
  );
  const closes = await readDayCloses(store, symbols, { days: daysOf(ledger), from, through: last });
  const priced = applyQuotes(ledger, quotesInUnitsHeld(ledger, symbols, closes));
  const closed = closeDays(priced, history, last);
  return { ...closed, done: closed.done && last === through };
};

/** Closes the days that a plan names, in as many changes as needed. Returns the deployment if something changed. */
export const closeAll = async (
  runtime: Runtime,
  deploymentId: number,
  plan: (
    deployment: TradingDeployment,
    ledger: Ledger,
    setupItem: Item | undefined,
  ) => Promise<Closing | undefined>,
): Promise<{ readonly deployment: TradingDeployment; readonly ledger: Ledger } | undefined> => {
  const [ofHistory, ofSetup] = [historyKey(deploymentId), keys.deploymentSetup(deploymentId)];
  let done = false;
  let result: { readonly deployment: TradingDeployment; readonly ledger: Ledger } | undefined;
  while (!done) {
    done = true;
    await changeDeployment(
      runtime,
      deploymentId,
      async (deployment, _now, items) => {
        if (deployment?.kind !== 'live') return undefined;
        const before = unpackLedger(deployment.ledger);
        const closing = await plan(deployment, before, itemWith(items, ofSetup));
        if (!closing) return undefined;
        const known = asHistory(itemWith(items, ofHistory), before);
        const closed = await closeNext(runtime.store, before, known, closing);
        done = closed.done;
        const { ledger, history } = closed;
        const settled = isSettled(deployment, ledger, closing.through);
        if (ledger === before && !settled) return undefined;
        result = { deployment, ledger };
        return {
          deployment: withLedger(deployment, ledger),
          ledger,
          notifications: [],
          writes: [
            // A batch read is not a snapshot, so an unchanged history must not be written.
            ...(history === known ? [] : [historyWrite(deploymentId, history)]),
            ...(settled ? [endedDeploymentWrite(deploymentId)] : []),
          ],
        };
      },
      [ofHistory, ofSetup],
    );
  }
  return result;
};

/**
 * Closes the days before a bar, of a deployment that the hub runs, at the prices of their last bars. Must be called
 * before a fill at the bar is booked, so that a replay of years in minutes gives the curve of years. Mostly does
 * nothing: it closes many days at once, and the job closes single ones.
 *
 * @param at start of the bar.
 * @param memory deployments as last written; without it, or for one that it does not know, the deployment is read.
 */
export const closeMarketDays = async (
  runtime: Runtime,
  deploymentId: number,
  at: number,
  memory?: BookMemory,
): Promise<void> => {
  const known = memory?.recall(deploymentId);
  if (known && marketDaysDue(known.ledger, at) === undefined) return;
  let due: Day | undefined;
  const closed = await closeAll(runtime, deploymentId, async (_deployment, ledger, setup) => {
    // The plan stays the same for all changes: fewer days may be left than are due.
    due ??= marketDaysDue(ledger, at);
    const through = due;
    return through === undefined ? undefined : hubClosing(runtime.store, ledger, setup, () => through);
  });
  if (closed) memory?.forget(deploymentId);
};
