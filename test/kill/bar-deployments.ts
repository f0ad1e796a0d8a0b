import type { TestHub } from '../support/hub.ts';
import { ruleTrader } from '../support/rule-strategies.ts';
import { person } from '../support/strategies.ts';
import { deployTrading } from '../support/trading.ts';
import type { Owner } from '../support/trading-state.ts';
import { SYMBOLS, TIMEFRAME } from './market.ts';

type Traded = (typeof SYMBOLS)[number];

const sma = (length: number) => ({ indicator: 'sma', length });
const crosses = (way: 'above' | 'below', fast: number, slow: number) => ({
  left: sma(fast),
  op: `crosses_${way}`,
  right: sma(slow),
});

/** Trades begin in these hours only, so that most bars are evaluated without an order. */
const inSession = (condition: object) => ({ all: [condition, { time: ['15:00', '21:00'] }] });

const reversing = (fast: number, slow: number) => ({
  schema: 'hub.rules/1',
  entries: [
    { side: 'long', when: inSession(crosses('above', fast, slow)) },
    { side: 'short', when: inSession(crosses('below', fast, slow)) },
  ],
  reverse: true,
});

const LIMITS = {
  schema: 'hub.rules/1',
  entries: [
    {
      side: 'long',
      when: inSession({ left: { indicator: 'rsi', length: 5 }, op: 'lt', right: 20 }),
      limit: { percent: -0.5 },
      valid_bars: 3,
      stop_loss: { type: 'percent', percent: 2 },
      take_profit: { type: 'percent', percent: 1.5 },
    },
  ],
};

const STOPS = {
  schema: 'hub.rules/1',
  entries: [
    {
      side: 'short',
      when: inSession({ left: { indicator: 'rsi', length: 5 }, op: 'gt', right: 80 }),
      stop: { percent: -0.5 },
      valid_bars: 2,
      trailing_stop: { type: 'atr', length: 5, multiple: 2 },
    },
  ],
};

const PYRAMID = {
  schema: 'hub.rules/1',
  entries: [
    {
      side: 'long',
      when: inSession(crosses('above', 5, 12)),
      size: { type: 'cash', cash: 1500 },
      stop_loss: { type: 'percent', percent: 4 },
      take_profit: { type: 'percent', percent: 6 },
    },
  ],
  exits: [{ side: 'long', when: crosses('below', 5, 12), portion: 0.5 }],
  pyramid: true,
  max_trades: 4,
};

interface Making {
  readonly rules: unknown;
  readonly symbols: readonly Traded[];
  readonly form?: Readonly<Record<string, string>>;
}

const COSTS = { commission_rate: '0.0005', spread_rate: '0.0002', fill_at: 'signal_close' };

/** Deployments by owner. The last one of all ends in the middle. */
const MAKINGS: readonly (readonly Making[])[] = [
  [
    { rules: reversing(8, 24), symbols: ['BTCUSD'] },
    { rules: LIMITS, symbols: ['BTCUSD'] },
    { rules: STOPS, symbols: ['ETHUSD'] },
    { rules: PYRAMID, symbols: ['BTCUSD'] },
  ],
  [
    { rules: reversing(10, 30), symbols: SYMBOLS },
    { rules: PYRAMID, symbols: ['BTCUSD'], form: COSTS },
    { rules: PYRAMID, symbols: ['BTCUSD'] },
  ],
];

/** Deployments of the loop. */
export interface BarOwners {
  /** Owners with the deployments that trade. */
  readonly owners: readonly Owner[];
  /** All deployments, one of notifications included. */
  readonly started: readonly number[];
  /** Deployments that trade to the end, with their symbols. */
  readonly trading: readonly { readonly id: number; readonly symbols: readonly Traded[] }[];
  /** Deployment that ends in the middle. */
  readonly ending: { readonly user_id: string; readonly id: number };
}

const deployOne = async (
  hub: TestHub,
  user_id: string,
  { rules, symbols, form = {} }: Making,
): Promise<number> => {
  const { keygen } = await ruleTrader(hub, { user_id, symbol: symbols.join(), timeframe: TIMEFRAME, rules });
  const { status, body } = await deployTrading(hub, keygen, form);
  if (status !== 200) throw new Error(body.detail);
  return body.deployment_id;
};

const deployNotifications = async (hub: TestHub, user_id: string): Promise<number> => {
  const making = { user_id, symbol: 'BTCUSD', timeframe: TIMEFRAME, rules: reversing(8, 24) };
  const { keygen } = await ruleTrader(hub, making);
  const { status, body } = await hub.call('POST /deploy_notification_strategy', { query: { keygen } });
  if (status !== 200) throw new Error(body.detail);
  return body.deployment_id;
};

/** Deploys the strategies of all owners, and one as notifications. None has started. */
export const deployAll = async (hub: TestHub): Promise<BarOwners> => {
  const owners: Owner[] = [];
  const trading: { id: number; symbols: readonly Traded[] }[] = [];
  for (const makings of MAKINGS) {
    const { user_id } = await person(hub);
    const deployments: number[] = [];
    for (const making of makings) {
      const id = await deployOne(hub, user_id, making);
      deployments.push(id);
      trading.push({ id, symbols: making.symbols });
    }
    owners.push({ user_id, deployments });
  }
  const user_id = owners.at(-1)?.user_id ?? '';
  const id = trading.pop()?.id ?? 0;
  const notifying = await deployNotifications(hub, user_id);
  return {
    owners,
    started: [...trading.map((one) => one.id), id, notifying],
    trading,
    ending: { user_id, id },
  };
};
