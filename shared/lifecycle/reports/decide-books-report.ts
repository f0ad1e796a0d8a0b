import type { Recalled } from '../../data/books/book-memory.ts';
import { type Deployment, livesInBars } from '../../data/deployments/deployments.ts';
import { withoutWaiting } from '../../data/deployments/waiting-signals.ts';
import type { InstrumentMemory } from '../../data/instruments/instrument-memory.ts';
import type { Items } from '../../data/table/items.ts';
import { HUB_SOURCE } from '../../domain/deployments/event-source.ts';
import { MalformedEventError } from '../../domain/malformed-event.ts';
import type { EngineFacts } from '../../domain/orders/order-record.ts';
import { isFinalOrderStatus } from '../../domain/orders/order-states.ts';
import type { Runtime } from '../../runtime.ts';
import type { Effect } from '../effect.ts';
import { checkHold } from '../ignored-holds.ts';
import { checkOverallReport } from '../risk-checks/check-overall.ts';
import { checkReport } from '../risk-checks/check-report.ts';
import { applyBooksReport, readBooks, recallBooks } from './apply-to-books.ts';
import { withPossiblePrices } from './check-prices.ts';
import { contractOf, quoteCurrencyOf } from './check-trading.ts';
import type { BooksReport } from './report.ts';
import type { ValueOrder } from './value-order.ts';

/** All that a report is decided on, apart from its deployment. */
interface Known {
  readonly now: Date;
  /** Items read at the keys of the report. */
  readonly items: Items;
  readonly recalled: Recalled | undefined;
  readonly instruments: InstrumentMemory;
  /** Order that the fill of the report closes first; the oldest one without it. */
  readonly closes?: string | undefined;
  /** Facts of the order of a report of the hub's own engine. */
  readonly facts?: EngineFacts | undefined;
  /** Values orders in other currencies; absent where no engine outside reports. */
  readonly valueOrder?: ValueOrder | undefined;
}

/** Time for which an engine may be behind. A later report counts as of its arrival less this. */
const MAX_DELAY_MS = 15 * 60_000;

/** Returns the time at which limits count a report. Its own time is bounded, so that no order escapes the limits of a day. */
const reportTime = ({ detail }: BooksReport, now: Date): number =>
  Math.max(Math.min(Date.parse(detail.occurred_at), now.getTime()), now.getTime() - MAX_DELAY_MS);

/** Returns the effect with a deployment whose ended order of a signal waits no longer. */
const withoutEnded = (effect: Effect): Effect => {
  const { deployment, order } = effect;
  if (deployment.kind !== 'live' || !order || !isFinalOrderStatus(order.status)) return effect;
  const left = withoutWaiting(deployment, order.client_order_id);
  return left === deployment ? effect : { ...effect, deployment: left };
};

/**
 * Checks a report against its deployment and applies it to the ledger; undefined for a repeat.
 *
 * @throws MalformedEventError for a report that does not fit the deployment.
 */
export const decideBooksReport = async (
  runtime: Runtime,
  deployment: Deployment,
  report: BooksReport,
  { now, items, recalled, instruments, closes, facts, valueOrder }: Known,
): Promise<Effect | undefined> => {
  if (deployment.kind !== 'live') throw new MalformedEventError('the deployment does not trade');
  const books = recalled ? recallBooks(recalled, report) : readBooks(deployment, report, items);
  const contract = await contractOf(runtime.store, deployment, report, books, { instruments, now });
  // Outcomes of prediction markets settle at zero; the catalogue's asset classes do not apply.
  const checked = deployment.prediction_market
    ? report
    : await withPossiblePrices(runtime.store, report, { instruments, now });
  const applied = await applyBooksReport(runtime, deployment, checked, { ...books, contract, closes, facts });
  const effect = applied && withoutEnded(applied);
  // The hub's own engine checks its paper accounts at each bar.
  if (!effect || livesInBars(deployment)) return effect;
  // An order that the hub did not send, or that did not leave, is no breach.
  const isUnsent = report.source === HUB_SOURCE && effect.order?.status === 'cancelled';
  if (isUnsent) return effect;
  const quoted = quoteCurrencyOf(deployment, report.detail.symbol, contract);
  const read = {
    ledger: books.ledger,
    order: books.order,
    at: reportTime(report, now),
    isForeign: quoted !== deployment.currency,
  };
  const valued = await valueOrder?.({ store: runtime.store, now }, effect, { ...read, quoted });
  const reported = valued?.reported ?? read;
  const judged = checkReport(valued?.effect ?? effect, reported, now);
  return checkHold(await checkOverallReport(runtime.store, deployment, judged, now), reported, now);
};
