import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../../shared/api/fields.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import type { TradingDeployment } from '../../../shared/data/deployments/deployments.ts';
import type { User } from '../../../shared/data/users/users.ts';
import type { LastPrices } from '../../../shared/domain/ledger/last-prices.ts';
import { shownFigure, toMoney, toText } from '../../../shared/domain/money.ts';
import { allUsages } from '../../../shared/domain/risk/check-book.ts';
import { equityOf } from '../../../shared/domain/risk/equity.ts';
import {
  type Limits,
  type MergedLimits,
  mergeLimits,
  planLimits,
} from '../../../shared/domain/risk/limits.ts';
import { overallLoss, startTotals, totalsAt } from '../../../shared/domain/risk/overall.ts';
import type { OverallLimits, Totals } from '../../../shared/domain/risk/overall-records.ts';
import { moveTo, ordersAt, peakOf, riskDayOf, startRisk } from '../../../shared/domain/risk/state.ts';
import type { Usage } from '../../../shared/domain/risk/usage.ts';
import { riskTime } from '../../../shared/lifecycle/deployment-limits.ts';

const orNothing = z.number().nullable();
const countOrNothing = integer().nullable();

const hoursOut = extensionRecord(
  'RiskHours',
  z.object({
    time_zone: z.string(),
    weekdays: z.array(z.string()).nullable(),
    from: z.string(),
    to: z.string(),
  }),
);

const limitsOut = extensionRecord(
  'RiskLimits',
  z.object({
    daily_loss: orNothing,
    daily_loss_pct: orNothing,
    drawdown_pct: orNothing,
    open_positions: countOrNothing,
    position_value: orNothing,
    order_value: orNothing,
    orders_per_day: countOrNothing,
    orders_per_minute: countOrNothing,
    symbols: z.array(z.string()).nullable(),
    hours: z.array(hoursOut),
    paper_days: countOrNothing,
    action: z.enum(['pause', 'flatten']).nullable(),
  }),
);

const usageOut = extensionRecord(
  'RiskUsage',
  z.object({ limit: z.string(), used: z.number(), allowed: z.number(), used_pct: z.number() }),
);

const tripOut = extensionRecord(
  'RiskTrip',
  z.object({ limit: z.string(), at: timestamp(), used: z.number(), allowed: z.number() }),
);

const stateOut = extensionRecord(
  'RiskState',
  z.object({
    day: z.string(),
    orders_today: integer(),
    orders_minute: integer(),
    equity: z.number(),
    peak_equity: z.number(),
    armed_at: timestamp().nullable(),
    warned: z.array(z.string()),
    tripped: tripOut.nullable(),
  }),
);

const overallOut = extensionRecord(
  'OverallRiskLimits',
  z.object({
    currency: z.string(),
    daily_loss: orNothing,
    exposure: orNothing,
    orders_per_day: countOrNothing,
    orders_per_minute: countOrNothing,
    action: z.enum(['pause', 'flatten']),
    day: z.string(),
    usage: z.array(usageOut),
    is_counting: z.boolean(),
    tripped: tripOut.nullable(),
  }),
);

export const riskLimitsOut = extensionRecord(
  'RiskLimitsOut',
  z.object({
    deployment_id: integer().nullable(),
    currency: z.string().nullable(),
    plan: limitsOut.nullable(),
    user: limitsOut.nullable(),
    deployment: limitsOut.nullable(),
    merged: limitsOut,
    usage: z.array(usageOut),
    state: stateOut.nullable(),
    all: overallOut.nullable(),
  }),
);

type Presented = z.output<typeof riskLimitsOut>;

const numberOf = (amount: string | undefined): number | null =>
  amount === undefined ? null : Number(amount);

const presentLimits = ({ hours, ...limits }: Limits | MergedLimits): z.output<typeof limitsOut> => ({
  daily_loss: numberOf(limits.daily_loss),
  daily_loss_pct: numberOf(limits.daily_loss_pct),
  drawdown_pct: numberOf(limits.drawdown_pct),
  open_positions: limits.open_positions ?? null,
  position_value: numberOf(limits.position_value),
  order_value: numberOf(limits.order_value),
  orders_per_day: limits.orders_per_day ?? null,
  orders_per_minute: limits.orders_per_minute ?? null,
  symbols: limits.symbols ?? null,
  hours: [hours ?? []].flat().map(({ time_zone, weekdays, from, to }) => ({
    time_zone,
    weekdays: weekdays ?? null,
    from,
    to,
  })),
  paper_days: limits.paper_days ?? null,
  action: limits.action ?? null,
});

const presentLevel = (limits: Limits | undefined) => (limits ? presentLimits(limits) : null);

const presentUsage = ({
  limit,
  used,
  allowed,
}: Omit<Usage, 'limit'> & { readonly limit: string }): z.output<typeof usageOut> => ({
  limit,
  used: shownFigure(Number(used)),
  allowed: Number(allowed),
  used_pct: shownFigure((Number(used) / Number(allowed)) * 100),
});

const presentTrip = (tripped: Totals['tripped']): z.output<typeof tripOut> | null =>
  tripped
    ? {
        limit: tripped.limit,
        at: tripped.at,
        used: shownFigure(Number(tripped.used)),
        allowed: Number(tripped.allowed),
      }
    : null;

const presentState = (
  deployment: TradingDeployment,
  prices: LastPrices,
  now: Date,
): Pick<Presented, 'usage' | 'state'> => {
  const { currency, limits, risk } = deployment;
  const ledger = unpackLedger(deployment.ledger);
  const at = riskTime(deployment, ledger, now);
  const state = moveTo(risk ?? startRisk(ledger, at), at);
  const equity = equityOf(ledger, prices);
  const { today, thisMinute } = ordersAt(state, at);
  const { baseline, tripped } = state;
  return {
    usage: limits ? allUsages(limits.merged, state, ledger, at, prices).map(presentUsage) : [],
    state: {
      day: riskDayOf(state, at),
      orders_today: today,
      orders_minute: thisMinute,
      equity: toMoney(equity.toFixed(), currency),
      peak_equity: toMoney(peakOf(state, equity).toFixed(), currency),
      armed_at: baseline ? new Date(baseline.at).toISOString() : null,
      warned: state.warned,
      tripped: presentTrip(tripped),
    },
  };
};

/** Returns how much of the limits over all deployments is used. */
const overallUsages = (limits: OverallLimits, totals: Totals) => {
  const used = [
    ['daily_loss', toText(overallLoss(totals))],
    ['exposure', totals.exposure],
    ['orders_per_day', String(totals.orders_today)],
    ['orders_per_minute', String(totals.orders_minute)],
  ] as const;
  return used.flatMap(([limit, amount]) => {
    const allowed = limits[limit];
    return allowed === undefined ? [] : [presentUsage({ limit, used: amount, allowed: String(allowed) })];
  });
};

const presentOverall = (
  limits: OverallLimits | undefined,
  known: Totals | undefined,
  now: Date,
): Presented['all'] => {
  if (!limits) return null;
  const isOwn = known?.since === limits.since;
  const totals = totalsAt(isOwn ? known : startTotals(limits.since, now.getTime(), []), now.getTime());
  return {
    currency: limits.currency,
    daily_loss: numberOf(limits.daily_loss),
    exposure: numberOf(limits.exposure),
    orders_per_day: limits.orders_per_day ?? null,
    orders_per_minute: limits.orders_per_minute ?? null,
    action: limits.action ?? 'pause',
    day: totals.day,
    usage: overallUsages(limits, totals),
    is_counting: isOwn && totals.pending === undefined,
    tripped: presentTrip(totals.tripped),
  };
};

/** Presents the risk limits of a user, with those of a deployment and their use. */
export const presentRiskLimits = (
  { plan, limits }: Pick<User, 'plan' | 'limits'>,
  deployment: TradingDeployment | undefined,
  { prices, totals }: { readonly prices: LastPrices; readonly totals: Totals | undefined },
  now: Date,
): Presented => {
  const ofPlan = planLimits(plan, deployment?.mode ?? 'live');
  const merged = deployment?.limits?.merged ?? mergeLimits([ofPlan, limits?.each]);
  return {
    deployment_id: deployment?.deployment_id ?? null,
    currency: deployment?.currency ?? null,
    plan: presentLevel(ofPlan),
    user: presentLevel(limits?.each),
    deployment: presentLevel(deployment?.limits?.own),
    merged: presentLimits(merged),
    ...(deployment ? presentState(deployment, prices, now) : { usage: [], state: null }),
    all: presentOverall(limits?.all, totals, now),
  };
};
