import type { AccountReport, SignalReport } from '../../shared/domain/engine/running/order-report.ts';

/** A trade as order reports tell it. */
export interface ReportedTrade {
  readonly side: 'long' | 'short';
  readonly quantity: number;
  readonly entry_at: number;
  readonly entry_price: number;
  readonly exit_at: number;
  readonly exit_price: number;
  readonly pnl: number;
  readonly fees: number;
}

interface Holding {
  readonly entry: SignalReport;
  quantity: number;
  fee: number;
  swap: number;
}

const numberOf = (text: string | undefined): number => (text === undefined ? Number.NaN : Number(text));

/** Spreads a charge over holdings by quantity. */
const spread = (holdings: readonly Holding[], amount: number): void => {
  const whole = holdings.reduce((sum, { quantity }) => sum + quantity, 0);
  for (const holding of holdings) holding.swap += (amount * holding.quantity) / whole;
};

/** Rebuilds the closed and the open trades of an account from its reports alone. */
export const tradesOf = (
  reports: readonly AccountReport[],
  contractSize: number,
): { readonly closed: ReportedTrade[]; readonly open: Holding[] } => {
  const held = new Map<string, Holding>();
  const closed: ReportedTrade[] = [];
  for (const report of reports) {
    if (report.kind === 'swap') {
      spread([...held.values()], Number(report.amount));
      continue;
    }
    if (report.status !== 'filled') continue;
    const quantity = Number(report.filled_quantity);
    if (report.closes === undefined) {
      held.set(report.client_order_id, { entry: report, quantity, fee: Number(report.fees), swap: 0 });
      continue;
    }
    const holding = held.get(report.closes);
    if (!holding) throw new Error(`the order ${report.client_order_id} closes an unknown trade`);
    const { entry } = holding;
    const part = quantity / holding.quantity;
    const side = entry.side === 'buy' ? 'long' : 'short';
    const entryPrice = numberOf(entry.average_price);
    const exitPrice = numberOf(report.average_price);
    const fees = holding.fee * part + Number(report.fees);
    const gross = (side === 'long' ? 1 : -1) * quantity * contractSize * (exitPrice - entryPrice);
    closed.push({
      side,
      quantity,
      entry_at: entry.at,
      entry_price: entryPrice,
      exit_at: report.at,
      exit_price: exitPrice,
      pnl: gross - fees + holding.swap * part,
      fees,
    });
    holding.fee *= 1 - part;
    holding.swap *= 1 - part;
    holding.quantity = Number((holding.quantity - quantity).toPrecision(12));
    if (holding.quantity <= 0) held.delete(report.closes);
  }
  return { closed, open: [...held.values()] };
};
