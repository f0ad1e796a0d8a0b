import * as z from 'zod';
import { integer, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { readOwnTrading } from '../../shared/callers/own-trading.ts';
import { unpackLedger } from '../../shared/data/books/packed-ledger.ts';
import { findInstruments } from '../../shared/data/instruments/instruments.ts';
import { SWAP_CALCULATIONS, WEEKDAYS } from '../../shared/domain/instruments/instruments.ts';
import { MAX_SPARE } from '../../shared/domain/ledger/ledger-state.ts';
import { positionsOf, swapTotals, symbolTotals } from '../../shared/domain/ledger/read-ledger.ts';
import { toMoney } from '../../shared/domain/money.ts';
import { number } from '../../shared/records/amounts.ts';

const swapFields = {
  realized_swap: z.number(),
  accrued_swap: z.number(),
  total_swap: z.number(),
} as const;

const swapPositionOut = z.object({
  symbol: z.string(),
  /** Null for a closed position. */
  side: z.enum(['long', 'short']).nullable(),
  quantity: z.number(),
  swap_long: z.number().nullable(),
  swap_short: z.number().nullable(),
  calculation_type: z.enum(SWAP_CALCULATIONS).nullable(),
  triple_swap_weekday: z.enum(WEEKDAYS).nullable(),
  ...swapFields,
  currency: z.string(),
  last_rollover_at: timestamp().nullable(),
});

const presentSwap = (
  { realized_swap, accrued_swap, swap }: ReturnType<typeof swapTotals>,
  currency: string,
) => ({
  realized_swap: toMoney(realized_swap, currency),
  accrued_swap: toMoney(accrued_swap, currency),
  total_swap: toMoney(swap, currency),
});

export const getSwapValues = defineOperation({
  method: 'GET',
  path: '/get_swap_values',
  name: 'get_swap_values',
  summary: 'Get the swap of a deployment’s positions',
  description:
    `Open positions, and at least the ${MAX_SPARE} most recently charged closed ones, by symbol. ` +
    'totals covers all symbols. ' +
    'accrued_swap is that of the open position, realized_swap that of closed ones. ' +
    'Rates are those of the catalogue. ' +
    'as_of is the latest event of the deployment.',
  caller: 'user',
  scope: 'read',
  input: { query: z.object({ user_id: z.string(), strategy_id: integer(), deployment_id: integer() }) },
  output: z.object({
    deployment_id: integer(),
    strategy_id: integer(),
    positions: z.array(swapPositionOut),
    totals: z.object({ ...swapFields, currency: z.string() }),
    as_of: timestamp(),
  }),
  errors: ['deployment_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, strategy_id, deployment_id: id } }, call) => {
    const deployment = await readOwnTrading(call, userId, id, strategy_id);
    const ledger = unpackLedger(deployment.ledger);
    const { currency, updated_at: as_of } = deployment;
    const open = new Map(positionsOf(ledger).map((position) => [position.symbol, position]));
    const shown = symbolTotals(ledger).filter(({ symbol, swap_at }) => open.has(symbol) || swap_at !== null);
    const instruments = await findInstruments(
      call.store,
      shown.map(({ symbol }) => symbol),
    );
    return {
      deployment_id: id,
      strategy_id,
      positions: shown.map((each, index) => {
        const position = open.get(each.symbol);
        const instrument = instruments[index];
        return {
          symbol: each.symbol,
          side: position?.side ?? null,
          quantity: number(position?.quantity ?? '0'),
          swap_long: instrument?.swap_long ?? null,
          swap_short: instrument?.swap_short ?? null,
          calculation_type: instrument?.swap_calculation ?? null,
          triple_swap_weekday: instrument?.triple_swap_weekday ?? null,
          ...presentSwap(each, currency),
          currency,
          last_rollover_at: each.swap_at,
        };
      }),
      totals: { ...presentSwap(swapTotals(ledger), currency), currency },
      as_of,
    };
  },
});
