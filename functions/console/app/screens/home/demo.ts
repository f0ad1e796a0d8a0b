import type { BacktestRun, Rules } from '../../../../../infra/client/package/src/index.ts';
import { DEMO_EXCHANGE } from '../../../../../shared/domain/instruments/instruments.ts';
import { hub, ME } from '../../hub.ts';

const NAME = 'First steps';
const TIMEFRAME = '1m';
const AVERAGE = { indicator: 'sma', length: 3 } as const;

/** Rules that trade often, so that a new user sees a trade soon. They are no good ones. */
const RULES: Rules = {
  schema: 'hub.rules/1',
  entries: [
    {
      side: 'long',
      when: { left: { price: 'close' }, op: 'crosses_above', right: AVERAGE },
      stop_loss: { type: 'percent', percent: 2 },
    },
  ],
  exits: [{ side: 'long', when: { left: { price: 'close' }, op: 'crosses_below', right: AVERAGE } }],
};

/** Finds an instrument of the demo market; undefined for a service without one. */
export const findDemoSymbol = async (signal: AbortSignal): Promise<string | null> => {
  const found = await hub.getInstrumentSuggestionsV2({ user_id: ME, instrument: 'demo' }, { signal });
  return found.find(({ exchange }) => exchange === DEMO_EXCHANGE)?.symbol ?? null;
};

/** Finds the strategy of an attempt that ended halfway, or makes it. */
const makeStrategy = async (symbol: string): Promise<number> => {
  const { items } = await hub.getStrategiesByUser({ user_id: ME, size: 100 });
  const known = items.find(({ strategy_name }) => strategy_name === NAME);
  const { strategy_id } =
    known ?? (await hub.buildNewStrategy({ user_id: ME, strategy_name: NAME, symbol, timeframe: TIMEFRAME }));
  if (!known?.sentence) {
    await hub.setStrategyRules({ user_id: ME, strategy_id, expected_rules_version: 0, body: RULES });
  }
  return strategy_id;
};

/** Things that the demonstration made. */
export interface Demo {
  readonly strategyId: number;
  readonly backtest: BacktestRun;
  readonly deploymentId: number;
}

/** Makes a strategy, tests it and runs it on paper, on the demo market. A key makes repeats deploy once. */
export const runDemo = async (symbol: string, idempotencyKey: string): Promise<Demo> => {
  const strategyId = await makeStrategy(symbol);
  const [backtest, { deployment_id: deploymentId }] = await Promise.all([
    hub.runBacktest({ user_id: ME, body: { strategy_id: strategyId } }),
    hub.deployLiveStrategy(
      {
        keygen: `strategy:${strategyId}`,
        body: { mode: 'virtual', starting_capital: '10000', currency: 'USD' },
      },
      { idempotencyKey },
    ),
  ]);
  return { strategyId, backtest, deploymentId };
};
