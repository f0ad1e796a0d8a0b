import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../../shared/api/fields.ts';
import type { TradingSummary } from '../../../shared/data/books/summary.ts';
import { TRADE_MODES, type TradeMode } from '../../../shared/data/deployments/trading-record.ts';
import { DEPLOYMENT_STATUSES } from '../../../shared/domain/deployments/deployment-states.ts';
import { add, decimal, shownFigure, toMoney, toText } from '../../../shared/domain/money.ts';
import { pnlSumFields, presentPnlSum } from '../../../shared/records/figures.ts';
import { oldest, type TradingSum } from '../../../shared/records/trading-sums.ts';
import { type Exposure, exposureBySymbol, exposureOf } from '../common/exposure.ts';
import { mostUsed } from '../common/risk-used.ts';

const valueFields = {
  long_value: z.number().nullable(),
  short_value: z.number().nullable(),
  net_value: z.number().nullable(),
  gross_value: z.number().nullable(),
} as const;

/** Sums over the deployments of one mode and currency. */
export const overviewAccount = extensionRecord(
  'OverviewAccount',
  z.object({
    mode: z.enum(TRADE_MODES),
    currency: z.string(),
    deployments_count: integer(),
    starting_capital: z.number(),
    equity: z.number().nullable(),
    return_pct: z.number().nullable(),
    ...pnlSumFields,
    ...valueFields,
  }),
);

/** Open positions in one symbol of the deployments of one mode and currency. */
export const overviewExposure = extensionRecord(
  'OverviewExposure',
  z.object({
    mode: z.enum(TRADE_MODES),
    currency: z.string(),
    symbol: z.string(),
    long_quantity: z.number(),
    short_quantity: z.number(),
    net_quantity: z.number(),
    ...valueFields,
    as_of: timestamp().nullable(),
  }),
);

/** Deployment with risk limits, and the limit of which the largest part is used. */
export const overviewRisk = extensionRecord(
  'OverviewRisk',
  z.object({
    deployment_id: integer(),
    strategy_name: z.string(),
    mode: z.enum(TRADE_MODES),
    status: z.enum(DEPLOYMENT_STATUSES),
    currency: z.string(),
    limit: z.string(),
    used: z.number(),
    allowed: z.number(),
    used_pct: z.number(),
    tripped: z.string().nullable(),
  }),
);

/** Deployments of one mode and currency, with the sums over them. */
export interface Part {
  readonly mode: TradeMode;
  readonly currency: string;
  readonly summaries: readonly TradingSummary[];
  readonly sum: TradingSum;
}

const presentValues = ({ value }: Exposure, currency: string) => {
  if (!value) return { long_value: null, short_value: null, net_value: null, gross_value: null };
  const { long, short } = value;
  return {
    long_value: toMoney(toText(long), currency),
    short_value: toMoney(toText(short), currency),
    net_value: toMoney(toText(long.minus(short)), currency),
    gross_value: toMoney(toText(long.plus(short)), currency),
  };
};

/** Presents the sums over deployments of one mode and currency. */
export const presentAccount = ({
  mode,
  currency,
  summaries,
  sum,
}: Part): z.output<typeof overviewAccount> => {
  const capital = summaries.reduce((total, { starting_capital }) => add(total, starting_capital), '0');
  const pnl = decimal(sum.realized_pnl).plus(sum.unrealized_pnl);
  const isKnown = sum.is_priced && !decimal(capital).eq(0);
  return {
    mode,
    currency,
    deployments_count: summaries.length,
    starting_capital: toMoney(capital, currency),
    equity: sum.is_priced ? toMoney(add(capital, pnl), currency) : null,
    return_pct: isKnown ? shownFigure(pnl.div(capital).times(100).toNumber()) : null,
    ...presentPnlSum(sum, currency),
    ...presentValues(exposureOf(summaries), currency),
  };
};

/** Presents the use of risk limits by deployment, the highest first; deployments without limits are omitted. */
export const presentRisk = (
  summaries: readonly TradingSummary[],
  now: Date,
): z.output<typeof overviewRisk>[] =>
  summaries
    .flatMap((summary) => {
      const most = mostUsed(summary, now);
      if (!most) return [];
      const { deployment_id, strategy_name, mode, status, currency, risk } = summary;
      return {
        deployment_id,
        strategy_name,
        mode,
        status,
        currency,
        limit: most.limit,
        used: shownFigure(Number(most.used)),
        allowed: Number(most.allowed),
        used_pct: shownFigure(most.share * 100),
        tripped: risk?.state?.tripped?.limit ?? null,
      };
    })
    .sort((left, right) => right.used_pct - left.used_pct);

/** Returns the time of the oldest price of a symbol; null if a position has none. */
const pricedAt = (summaries: readonly TradingSummary[], symbol: string): string | null => {
  const held = summaries.flatMap(({ positions }) =>
    positions.filter((position) => position.symbol === symbol),
  );
  return held.every(({ as_of }) => as_of !== null) ? oldest(held.map(({ as_of }) => as_of)) : null;
};

/** Presents the open positions of deployments of one mode and currency by symbol. */
export const presentExposure = ({ mode, currency, summaries }: Part): z.output<typeof overviewExposure>[] =>
  exposureBySymbol(summaries).map(([symbol, exposure]) => {
    const { long, short } = exposure.quantity;
    return {
      mode,
      currency,
      symbol,
      long_quantity: long.toNumber(),
      short_quantity: short.toNumber(),
      net_quantity: long.minus(short).toNumber(),
      ...presentValues(exposure, currency),
      as_of: pricedAt(summaries, symbol),
    };
  });
