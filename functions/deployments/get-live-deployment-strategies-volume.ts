import * as z from 'zod';
import { integer, timestamp } from '../../shared/api/fields.ts';
import { parseIds } from '../../shared/api/id-list.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { readStrategyDeployments, type StrategyDeployments } from '../../shared/callers/read-user.ts';
import { beginningOf } from '../../shared/data/books/summary.ts';
import { toMoney } from '../../shared/domain/money.ts';
import { number } from '../../shared/records/amounts.ts';
import {
  allParts,
  countAll,
  countOf,
  mainCurrency,
  sumByCurrency,
} from '../../shared/records/trading-sums.ts';

const volumeFields = {
  orders: integer(),
  trades: integer(),
  fills: integer(),
  lots: z.number(),
  traded_value: z.number(),
} as const;

const volumeOut = z.object({
  strategy_id: integer(),
  ...volumeFields,
  currency: z.string().nullable(),
  by_currency: z.array(z.object({ currency: z.string(), ...volumeFields })),
  from: timestamp().nullable(),
  to: timestamp().nullable(),
});

/** Returns the first deployment and the latest event. */
const spanOf = ({ running, ended }: StrategyDeployments) => {
  const from = [...running.map(beginningOf), ended.from ?? []].flat().sort();
  const to = [...running.map(({ updated_at }) => updated_at), ended.to ?? []].flat().sort();
  return { from: from[0] ?? null, to: to.at(-1) ?? null };
};

const presentVolume = (strategy: StrategyDeployments): z.output<typeof volumeOut> => {
  const parts = allParts(strategy.running, [strategy.ended]);
  const all = countAll(parts);
  const sums = sumByCurrency(parts);
  const [currency, main] = mainCurrency(sums);
  return {
    strategy_id: strategy.strategy_id,
    orders: countOf(all.orders),
    trades: all.trades,
    fills: all.fills,
    lots: number(all.lots),
    traded_value: toMoney(main.traded_value, currency ?? ''),
    currency,
    by_currency: [...sums].map(([each, sum]) => ({
      currency: each,
      orders: countOf(sum.orders),
      trades: sum.trades,
      fills: sum.fills,
      lots: number(sum.lots),
      traded_value: toMoney(sum.traded_value, each),
    })),
    ...spanOf(strategy),
  };
};

export const getLiveDeploymentStrategiesVolume = defineOperation({
  method: 'GET',
  path: '/get_live_deployment_strategies_volume',
  name: 'get_live_deployment_strategies_volume',
  summary: 'Get the trading volume of strategies',
  description:
    'Adds up all live and paper deployments of own strategies, running and ended: ' +
    'orders, closed trades, fills, filled lots and their value. ' +
    'The top level has the value in the currency of most deployments; by_currency has all. ' +
    'as_of is the latest event. ' +
    'Trades after the end of a deployment are added within seconds.',
  caller: 'user',
  scope: 'read',
  input: { query: z.object({ user_id: z.string(), strategy_ids: z.string() }) },
  output: z.object({
    volume: z.array(volumeOut),
    unknown_ids: z.array(integer()),
    as_of: timestamp().nullable(),
  }),
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, strategy_ids } }, call) => {
    const ids = parseIds('strategy_ids', strategy_ids);
    const { found, unknown_ids } = await readStrategyDeployments(call, userId, ids);
    const volume = found.map(presentVolume);
    const as_of =
      volume
        .flatMap(({ to }) => to ?? [])
        .sort()
        .at(-1) ?? null;
    return { volume, unknown_ids, as_of };
  },
});
