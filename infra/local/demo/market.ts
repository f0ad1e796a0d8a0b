import * as z from 'zod';
import { keys } from '../../../shared/data/table/keys.ts';
import { DEMO_UNIVERSE } from '../market/instruments.ts';
import type { Past } from './past.ts';
import type { DemoPerson, Made } from './person.ts';
import type { DemoStrategy } from './strategies.ts';

const sma = (length: number) => ({ indicator: 'sma', length });
const rsi = (length: number) => ({ indicator: 'rsi', length });

/** Strategies of the demo user that trade on the demo market. Their rules trade every few bars. */
const MARKET_STRATEGIES: readonly DemoStrategy[] = [
  {
    name: 'Nova Crossover',
    description:
      'Follows the 3-minute average of Nova over its 8-minute one, with a stop. On the demo market.',
    symbol: 'NOVA.DEMO',
    timeframe: '1m',
    audience: 'owner',
    age: 0,
    rules: {
      schema: 'hub.rules/1',
      entries: [
        {
          side: 'long',
          when: { left: sma(3), op: 'crosses_above', right: sma(8) },
          size: { type: 'equity_percent', percent: 50 },
          stop_loss: { type: 'percent', percent: 0.6 },
        },
      ],
      exits: [{ side: 'long', when: { left: sma(3), op: 'crosses_below', right: sma(8) } }],
    },
  },
  {
    name: 'Orbit Reversion',
    description: 'Buys Orbit when it fell fast, sells it when it recovered. On the demo market.',
    symbol: 'ORBIT.DEMO',
    timeframe: '1m',
    audience: 'owner',
    age: 0,
    rules: {
      schema: 'hub.rules/1',
      entries: [
        {
          side: 'long',
          when: { left: rsi(5), op: 'lt', right: 25 },
          size: { type: 'equity_percent', percent: 50 },
          stop_loss: { type: 'percent', percent: 1.5 },
        },
      ],
      exits: [{ side: 'long', when: { left: rsi(5), op: 'gt', right: 60 } }],
    },
  },
];

const PAPER = { mode: 'virtual', starting_capital: '10000', currency: 'USD', commission_rate: '0.0001' };

/** Scanners of minute bars, and more than five deployments, need this plan. */
const takeLargestPlan = async ({ store }: Past, userId: string): Promise<void> => {
  await store.update(
    keys.user(userId),
    {
      update: 'SET #plan = :plan',
      condition: 'attribute_exists(pk)',
      names: { '#plan': 'plan' },
      values: { ':plan': 'unlimited' },
    },
    z.record(z.string(), z.unknown()),
  );
};

/**
 * Deploys strategies of the demo user on the demo market: on paper, as notifications and as a scanner. Repeating it
 * changes nothing.
 */
export const loadMarketDeployments = async (past: Past, person: DemoPerson): Promise<void> => {
  await takeLargestPlan(past, person.userId);
  const made: Made[] = [];
  for (const strategy of MARKET_STRATEGIES) made.push(await person.make(strategy));
  for (const mine of made) {
    if ((await person.deployed('trading', mine)) === undefined)
      await person.deploy('trading', mine, {}, PAPER);
  }
  const [nova] = made;
  if (!nova) return;
  if ((await person.deployed('notification', nova)) === undefined) await person.deploy('notification', nova);
  if ((await person.deployed('scanner', nova)) === undefined) {
    await person.deploy('scanner', nova, { universe_id: DEMO_UNIVERSE.universe_id });
  }
};
