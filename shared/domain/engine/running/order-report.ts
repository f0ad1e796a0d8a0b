import type { EngineFacts } from '../../orders/order-record.ts';

/** Report on an order of a paper account. Cumulative. Amounts are decimal text, times milliseconds of market time. */
export interface OrderReport {
  readonly kind: 'order';
  readonly at: number;
  /** Derived from the symbol, the bar and a counter, so that a repeat has the same. */
  readonly client_order_id: string;
  /** 1 for the first report of the order; 0 for a manual close, which the ledger booked before. */
  readonly sequence: number;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly order_type: 'market' | 'limit' | 'stop';
  /** An estimate until the order is filled: a size is computed at the fill. */
  readonly quantity: string;
  /** Price of a limit order, and trigger of a stop order. */
  readonly price?: string;
  readonly trigger_price?: string;
  readonly stop_loss?: string;
  readonly take_profit?: string;
  readonly expected_price: string;
  readonly status: 'open' | 'filled' | 'cancelled' | 'expired';
  readonly status_message?: string;
  readonly filled_quantity: string;
  readonly average_price?: string;
  readonly fees: string;
  /** Entry order of the trade that an exit closes. */
  readonly closes?: string;
  /** Facts of a fill that are no part of a report. */
  readonly facts?: EngineFacts;
}

/** Report on an order of a signal. It may have arrived before any price. */
export interface SignalReport extends Omit<OrderReport, 'expected_price'> {
  readonly expected_price?: string;
}

/** Swap that a bar charged; negative is a charge. */
interface SwapReport {
  readonly kind: 'swap';
  readonly at: number;
  readonly charge_id: string;
  readonly symbol: string;
  readonly amount: string;
  readonly facts: EngineFacts;
}

export type AccountReport = OrderReport | SignalReport | SwapReport;
