import type { DictionaryName } from './dictionaries.ts';
import { type FieldOrder, fieldOrder } from './listed-values.ts';

/*
 * Orders in which the values of packed records are stored, without the names of their fields.
 *
 * Stored values cannot be read without their order, so an order never changes and a number is never given again. A field
 * that is missing here is stored with its name. An order with more fields gets a number of its own: one version reads it,
 * and the next one writes it.
 */

const record = (order: FieldOrder) => ({ kind: 'record', order }) as const;

const POSITION = fieldOrder([
  'quantity cost entered entry_value exit_value gross fees swap opened_at filled',
]);

const SYMBOL_BOOKS = fieldOrder(['position gross fees swap swap_at'], {
  position: record(POSITION),
});

const TRADE_STATS = fieldOrder([
  'count wins losses won lost largest_win largest_loss win_streak loss_streak longest_win_streak',
  'longest_loss_streak duration_ms balance peak drawdown drawdown_ratio instant instant_net',
]);

const EQUITY_STATS = fieldOrder(['start last days returns sum sum_of_squares downside peak drawdown_ratio']);

const ACCOUNT = fieldOrder(
  [
    'day at symbols gross fees swap fills lots traded_value trades equity exposed_since exposed_ms',
    'day_net day_trades days',
  ],
  {
    symbols: { kind: 'map', order: SYMBOL_BOOKS },
    trades: record(TRADE_STATS),
    equity: record(EQUITY_STATS),
  },
);

/** Ends with the fields that keep their text from one event to the next. */
const LEDGER = fieldOrder(
  [
    'version started_at starting_capital periods_per_year own contract_sizes quotes orders closed_through',
    'late market_time rollovers lots by_hand splits head recent base',
  ],
  { head: record(ACCOUNT), base: record(ACCOUNT) },
);

const ORDER = fieldOrder(
  [
    'order_id deployment_id strategy_id mode currency broker_symbol close_value revision client_order_id',
    'symbol side order_type quantity sequence filled_quantity filled_value average_price fees rate status',
    'status_sequence status_at hidden_end sequences broker_order_id time_in_force price trigger_price',
    'stop_loss take_profit expected_price status_message kept created_at updated_at submitted_at',
    'first_filled_at contract_size closing_fills realized_pnl swap place exit_reason',
  ],
  {
    kept: record(
      fieldOrder([
        'broker_order_id time_in_force price trigger_price stop_loss take_profit expected_price',
        'status_message',
      ]),
    ),
  },
);

const LATEST_ORDER = fieldOrder([
  'order_id client_order_id symbol side status status_message quantity filled_quantity average_price',
  'updated_at place',
]);

const RISK_STATE = fieldOrder([
  'day orders_today minute orders_minute day_start peak baseline warned entering tripped',
]);

const LISTED_POSITION = fieldOrder(
  [
    'symbol side quantity average_price last_price unrealized_pnl as_of opened_at accrued_swap basis',
    'value',
  ],
  { basis: record(fieldOrder(['cost contract_size filled_at'])) },
);

const TOTALS = fieldOrder([
  'realized_pnl gross fees swap unrealized_pnl as_of total_pnl today_pnl return_pct equity lots',
  'traded_value fills trades_count wins closed_day all_days',
]);

const LIMITS = fieldOrder([
  'daily_loss daily_loss_pct drawdown_pct open_positions position_value orders_per_day',
]);

const SUMMARY = fieldOrder(
  [
    'deployment_id strategy_id strategy_name symbols timeframe broker_id account_id mode status phase',
    'stop_reason held stopping prediction_market engine currency starting_capital deployed_at began_at',
    'started_at stopped_at expires_at updated_at positions totals orders orders_count latest_order risk',
  ],
  {
    positions: { kind: 'list', order: LISTED_POSITION },
    totals: record(TOTALS),
    latest_order: record(LATEST_ORDER),
    risk: record(fieldOrder(['limits state'], { limits: record(LIMITS), state: record(RISK_STATE) })),
  },
);

const PROGRESS = fieldOrder(['phase updated_at orders_count latest_order risk sent change_seq'], {
  latest_order: record(LATEST_ORDER),
  risk: record(RISK_STATE),
});

const TRADE = fieldOrder([
  'deployment_id strategy_id mode currency number symbol side quantity entry_average exit_average',
  'entry_value gross fees swap net opened_at closed_at duration_s client_order_id',
]);

/** An order, the number under which records name it, and the dictionary for values that are long. */
export interface NumberedOrder {
  readonly id: number;
  readonly order: FieldOrder;
  readonly dictionary: DictionaryName;
}

/** Orders by kind of record. Other kinds are stored with the names of their fields. */
export const FIELD_ORDERS = {
  ledger: { id: 1, order: LEDGER, dictionary: 'ledger_values' },
  order: { id: 2, order: ORDER, dictionary: 'order' },
  summary: { id: 3, order: SUMMARY, dictionary: 'summary_values' },
  progress: { id: 4, order: PROGRESS, dictionary: 'progress' },
  trade: { id: 5, order: TRADE, dictionary: 'trade' },
} satisfies Record<string, NumberedOrder>;
