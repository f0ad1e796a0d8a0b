import type { Recalled } from '../../data/books/book-memory.ts';
import { asStoredOrder, orderKey, type StoredOrder } from '../../data/books/orders.ts';
import { unpackLedger } from '../../data/books/packed-ledger.ts';
import { swapChargeKey, swapChargeWrite } from '../../data/books/swap-charges.ts';
import { livesInBars, type TradingDeployment } from '../../data/deployments/deployments.ts';
import type { Contract } from '../../data/instruments/instrument-memory.ts';
import { type Items, itemWith } from '../../data/table/items.ts';
import type { Key } from '../../data/table/writes.ts';
import { applyQuote, applySwapCharge } from '../../domain/ledger/ledger-events.ts';
import { type Ledger, LedgerError } from '../../domain/ledger/ledger-state.ts';
import { withClosing } from '../../domain/ledger/manual-close.ts';
import { MalformedEventError } from '../../domain/malformed-event.ts';
import { converted, decimal } from '../../domain/money.ts';
import { type EngineFacts, filledValue } from '../../domain/orders/order-record.ts';
import type { Runtime } from '../../runtime.ts';
import type { Effect } from '../effect.ts';
import { changeOrder, realizedWrites, tradeWrites, withLedger } from '../order-change.ts';
import { notificationsOfOrder } from '../order-notifications.ts';
import { isForeign, requireRate, requireSaneFees } from './check-trading.ts';
import type { BooksReport, ReportOf } from './report.ts';

const chargeKey = ({ detail: { deployment_id, charge_id } }: ReportOf<'Swap Charged'>): Key =>
  swapChargeKey(deployment_id, charge_id);

/** Returns the keys to read with the deployment: the order, or the mark of a known charge. */
export const extraReadsOf = (report: BooksReport): Key[] => {
  if (report.type === 'Order Updated') return [orderKey(report.detail)];
  return report.type === 'Swap Charged' ? [chargeKey(report)] : [];
};

/** Books at the arrival of a report. */
export interface Books {
  readonly ledger: Ledger;
  /** Order of the report. */
  readonly order?: StoredOrder | undefined;
  /** True if the charge was already booked. */
  readonly isCharged: boolean;
}

/** Books, with the contract of a symbol outside the deployment. */
export interface CheckedBooks extends Books {
  readonly contract: Contract | undefined;
  /** Order that the fill closes first; the oldest one without it. */
  readonly closes?: string | undefined;
  readonly facts?: EngineFacts | undefined;
}

/** Returns the books as read. */
export const readBooks = (deployment: TradingDeployment, report: BooksReport, items: Items): Books => ({
  ledger: unpackLedger(deployment.ledger),
  order:
    report.type === 'Order Updated' ? asStoredOrder(itemWith(items, orderKey(report.detail))) : undefined,
  isCharged: report.type === 'Swap Charged' && itemWith(items, chargeKey(report)) !== undefined,
});

/** Returns the books as last written. */
export const recallBooks = ({ ledger, orders }: Recalled, { detail }: BooksReport): Books => ({
  ledger,
  order: 'client_order_id' in detail ? orders.get(detail.client_order_id) : undefined,
  isCharged: false,
});

const orderUpdated = async (
  runtime: Runtime,
  deployment: TradingDeployment,
  { detail: { contract_size: reported, rate: given, ...detail } }: ReportOf<'Order Updated'>,
  { ledger, order: known, contract, closes, facts }: CheckedBooks,
): Promise<Effect | undefined> => {
  const size = reported ?? contract?.contract_size;
  const kept =
    known?.contract_size ??
    ledger.contract_sizes[detail.symbol] ??
    size ??
    deployment.contract_sizes[detail.symbol];
  const isFilled = detail.filled_quantity !== '0';
  const rate = isFilled
    ? requireRate(deployment, { symbol: detail.symbol, rate: given }, contract)
    : isForeign(deployment, detail.symbol, contract)
      ? given
      : undefined;
  const update = { ...detail, ...(rate !== undefined && { rate }) };
  const value = converted(decimal(filledValue(update, kept ?? '1')), rate);
  // The fees of the hub's own accounts follow from terms that their owner chose.
  if (!livesInBars(deployment)) requireSaneFees(deployment, update.fees, value);
  const before = closes === undefined ? ledger : withClosing(ledger, detail.client_order_id, closes);
  const change = await changeOrder(runtime, { deployment, ledger: before, known, facts }, update, size);
  if (!change) return undefined;
  const { effect, outcome, order } = change;
  return { ...effect, notifications: notificationsOfOrder(order, outcome, deployment.strategy_name) };
};

const quoteMarked = (
  deployment: TradingDeployment,
  { detail }: ReportOf<'Quote Marked'>,
  { ledger: before, contract }: CheckedBooks,
): Effect | undefined => {
  const ledger = applyQuote(before, { ...detail, rate: requireRate(deployment, detail, contract) });
  if (ledger === before) return undefined;
  return { deployment: withLedger(deployment, ledger), ledger, notifications: [] };
};

const swapCharged = async (
  runtime: Runtime,
  deployment: TradingDeployment,
  { detail }: ReportOf<'Swap Charged'>,
  { ledger: before, isCharged, facts }: CheckedBooks,
): Promise<Effect | undefined> => {
  if (isCharged) return undefined;
  const charged = applySwapCharge(before, detail, facts);
  if (!charged) return undefined;
  const { ledger, effects } = charged;
  const trades = await tradeWrites(runtime, deployment, before, effects);
  return {
    deployment: withLedger(deployment, ledger),
    ledger,
    notifications: [],
    writes: [swapChargeWrite(deployment.deployment_id, detail.charge_id)],
    stageable: [...trades.writes, ...(await realizedWrites(runtime, deployment, effects.realized))],
    changes: trades.changes,
    entries: { trades: trades.numbers },
  };
};

/**
 * Applies a report to the ledger of a trading deployment; undefined for a repeat. It counts in every status of
 * the deployment: a fill is a fact.
 *
 * @throws MalformedEventError for a report that does not fit the deployment.
 */
export const applyBooksReport = async (
  runtime: Runtime,
  deployment: TradingDeployment,
  report: BooksReport,
  books: CheckedBooks,
): Promise<Effect | undefined> => {
  try {
    switch (report.type) {
      case 'Order Updated':
        return await orderUpdated(runtime, deployment, report, books);
      case 'Quote Marked':
        return quoteMarked(deployment, report, books);
      case 'Swap Charged':
        return await swapCharged(runtime, deployment, report, books);
      default:
        return report satisfies never;
    }
  } catch (error) {
    if (error instanceof LedgerError) throw new MalformedEventError(error.message);
    throw error;
  }
};
