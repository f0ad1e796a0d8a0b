import * as z from 'zod';
import { integer, timestamp } from '../api/fields.ts';
import type { TradingDeployment } from '../data/deployments/deployments.ts';
import { TRADE_MODES } from '../data/deployments/trading-record.ts';
import type { Items } from '../data/table/items.ts';
import { DEPLOYMENT_STATUSES } from '../domain/deployments/deployment-states.ts';
import { toMoney } from '../domain/money.ts';
import { performanceOf } from '../lifecycle/performance.ts';

const periods = z.array(z.object({ period: z.string(), pnl: z.number(), trades: integer() }));

/** Returns the fields of the performance of a deployment. Users and brokers get it with records of different names. */
export const performanceFields = <M extends z.ZodType, P extends z.ZodType>(metrics: M, point: P) => ({
  deployment_id: integer(),
  strategy_id: integer(),
  strategy_name: z.string(),
  mode: z.enum(TRADE_MODES),
  status: z.enum(DEPLOYMENT_STATUSES),
  currency: z.string(),
  starting_capital: z.number(),
  metrics,
  equity_curve: z.array(point),
  pnl: z.object({ by_day: periods, by_week: periods, by_month: periods }),
  as_of: timestamp(),
});

/** @param items read at `performanceKeys` */
export const presentPerformance = (deployment: TradingDeployment, items: Items, now: Date) => {
  const { metrics, equity_curve, by_day, by_week, by_month } = performanceOf(deployment, items, now);
  return {
    deployment_id: deployment.deployment_id,
    strategy_id: deployment.strategy_id,
    strategy_name: deployment.strategy_name,
    mode: deployment.mode,
    status: deployment.status,
    currency: deployment.currency,
    starting_capital: toMoney(deployment.starting_capital, deployment.currency),
    metrics,
    equity_curve,
    pnl: { by_day, by_week, by_month },
    as_of: deployment.updated_at,
  };
};
