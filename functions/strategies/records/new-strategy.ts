import * as z from 'zod';
import { integer, record, timestamp } from '../../../shared/api/fields.ts';
import type { Strategy } from '../../../shared/data/strategies/strategies.ts';
import { DIRECTIONS, STRATEGY_STATUSES } from '../../../shared/domain/strategies/strategies.ts';
import { identityFields, marketFields } from '../../../shared/records/strategy.ts';

/** New strategy with its first preferences. */
export const strategyPrefCustomOut = record(
  'StrategyPrefCustomOut',
  z.object({
    ...identityFields,
    keygen: z.string(),
    user_id: z.string(),
    symbol: z.string(),
    ...marketFields,
    broker_id: integer().nullable(),
    direction: z.enum(DIRECTIONS),
    status: z.enum(STRATEGY_STATUSES),
    order_type: z.enum(['market', 'limit', 'stop', 'stop_limit']),
    quantity: z.number(),
    max_allocation_pct: z.number(),
    stop_loss_pct: z.number().nullable(),
    take_profit_pct: z.number().nullable(),
    created_at: timestamp(),
  }),
);

/** Presents a new strategy to its owner. */
export const presentNew = ({
  stop_loss_pct,
  take_profit_pct,
  broker_id,
  symbols,
  ...strategy
}: Strategy): z.output<typeof strategyPrefCustomOut> => ({
  ...strategy,
  symbols,
  symbol: symbols.join(','),
  broker_id: broker_id ?? null,
  stop_loss_pct: stop_loss_pct ?? null,
  take_profit_pct: take_profit_pct ?? null,
});
