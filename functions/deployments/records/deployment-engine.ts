import * as z from 'zod';
import { extensionRecord, integer, requestRecord, timestamp } from '../../../shared/api/fields.ts';
import { DEPLOYMENT_STATUSES } from '../../../shared/domain/deployments/deployment-states.ts';
import { TIMEFRAMES } from '../../../shared/domain/strategies/strategies.ts';

const orNothing = z.number().nullable();
const side = z.enum(['long', 'short']);

const conditionOut = extensionRecord(
  'EngineCondition',
  z.object({ level: integer(), text: z.string(), holds: z.boolean() }),
);

const decisionOut = extensionRecord(
  'EngineDecision',
  z.object({
    side,
    holds: z.boolean(),
    blocked: z.string().nullable(),
    conditions: z.array(conditionOut),
  }),
);

const evaluationOut = extensionRecord(
  'EngineEvaluation',
  z.object({
    at: timestamp(),
    is_evaluated: z.boolean(),
    values: z.array(
      extensionRecord('EngineValue', z.object({ name: z.string(), value: z.number().nullable() })),
    ),
    entries: z.array(decisionOut),
    exits: z.array(decisionOut),
  }),
);

const orderOut = extensionRecord(
  'EngineOrder',
  z.object({
    client_order_id: z.string(),
    side,
    order_type: z.enum(['market', 'limit', 'stop']),
    price: orNothing,
    quantity: orNothing,
    placed_at: timestamp(),
  }),
);

const tradeOut = extensionRecord(
  'EngineTrade',
  z.object({
    client_order_id: z.string().nullable(),
    side,
    quantity: z.number(),
    entry_at: timestamp(),
    entry_price: z.number(),
    stop_loss: orNothing,
    is_trailed: z.boolean(),
    take_profit: orNothing,
    closing_quantity: z.number(),
  }),
);

const noteOut = extensionRecord('EngineNote', z.object({ at: timestamp(), text: z.string() }));

const barTimesOut = extensionRecord('EngineBar', z.object({ start: timestamp(), closed_at: timestamp() }));

export const engineSymbolOut = extensionRecord(
  'EngineSymbol',
  z.object({
    symbol: z.string(),
    waits_for: z.string(),
    last_bar: barTimesOut.nullable(),
    next_bar_due_at: timestamp().nullable(),
    data_delay_s: orNothing,
    data_delay_note: z.string().nullable(),
    evaluation: evaluationOut.nullable(),
    orders: z.array(orderOut),
    trades: z.array(tradeOut),
    decisions: z.array(noteOut),
    error: z.string().nullable(),
    failing_since: timestamp().nullable(),
  }),
);

const engineScannerOut = extensionRecord(
  'EngineScanner',
  z.object({
    waits_for: z.string(),
    watched_count: integer(),
    watched: z.array(z.string()),
    without_candles_count: integer(),
    without_candles: z.array(z.string()),
    last_run_at: timestamp().nullable(),
  }),
);

export const deploymentEngineOut = extensionRecord(
  'DeploymentEngine',
  z.object({
    deployment_id: integer(),
    deployment_type: z.enum(['notification', 'scanner', 'live']),
    status: z.enum(DEPLOYMENT_STATUSES),
    timeframe: z.enum(TIMEFRAMES),
    sentence: z.string(),
    rules: requestRecord('Rules').nullable(),
    params: z.record(z.string(), z.number()),
    symbols: z.array(engineSymbolOut),
    scanner: engineScannerOut.nullable(),
    errors: z.array(z.string()),
  }),
);
