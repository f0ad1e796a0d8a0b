/** Kinds of events of a cycle, one each, in their order. */
export const KINDS = [
  'new order',
  'first fill',
  'last fill',
  'repeat',
  'stale',
  'quote',
  'swap',
  'closing fill',
] as const;

export type EventKind = (typeof KINDS)[number];

const CYCLE_MS = 60_000;

/** Returns the events of a trade from its entry to its exit, like those of an engine. */
export const eventsOfCycle = (
  deployment_id: number,
  start: number,
  cycle: number,
): readonly { readonly kind: EventKind; readonly event: unknown }[] => {
  const at = (second: number) => new Date(start + cycle * CYCLE_MS + second * 1000).toISOString();
  const common = { version: 1, deployment_id, symbol: 'AAPL' };
  const order = (second: number, detail: Readonly<Record<string, unknown>>) => ({
    'detail-type': 'Order Updated',
    source: 'engine',
    detail: {
      ...common,
      client_order_id: `entry-${cycle}`,
      side: 'buy',
      order_type: 'limit',
      quantity: '10',
      price: '101.5',
      time_in_force: 'day',
      expected_price: '101.4',
      occurred_at: at(second),
      ...detail,
    },
  });
  const filled = (sequence: number, quantity: string, fees: string) => ({
    sequence,
    status: quantity === '10' ? 'filled' : 'partially_filled',
    filled_quantity: quantity,
    average_price: `101.${50 + (cycle % 50)}`,
    fees,
    broker_order_id: `B-${cycle}`,
  });
  const made = {
    'new order': order(1, { sequence: 1, status: 'open', filled_quantity: '0', fees: '0' }),
    'first fill': order(2, filled(3, '4', '0.4')),
    'last fill': order(3, filled(4, '10', '1')),
    repeat: order(3, filled(4, '10', '1')),
    stale: order(1, { ...filled(2, '0', '0'), status: 'open', average_price: null }),
    quote: {
      'detail-type': 'Quote Marked',
      source: 'engine',
      detail: { ...common, price: String(100 + (cycle % 7)), occurred_at: at(4) },
    },
    swap: {
      'detail-type': 'Swap Charged',
      source: 'engine',
      detail: { ...common, charge_id: `charge-${cycle}`, amount: '-0.25', occurred_at: at(5) },
    },
    'closing fill': order(6, {
      ...filled(1, '10', '1'),
      client_order_id: `exit-${cycle}`,
      side: 'sell',
      average_price: `10${cycle % 5}.25`,
    }),
  } satisfies Record<EventKind, unknown>;
  return KINDS.map((kind) => ({ kind, event: made[kind] }));
};
