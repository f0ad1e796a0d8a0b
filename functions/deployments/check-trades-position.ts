import * as z from 'zod';
import { timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { readRunning } from '../../shared/callers/read-user.ts';
import { markSummaries } from '../../shared/data/books/marked-summaries.ts';
import { liveDeploymentCustomOut, positionOut, presentPosition } from '../../shared/records/trading.ts';
import { oldest } from '../../shared/records/trading-sums.ts';

const openPositionOut = z.object({
  ...liveDeploymentCustomOut.pick({
    deployment_id: true,
    strategy_id: true,
    strategy_name: true,
    broker_id: true,
    mode: true,
    status: true,
    currency: true,
  }).shape,
  ...positionOut.shape,
  opened_at: timestamp(),
});

export const checkTradesPosition = defineOperation({
  method: 'GET',
  path: '/check_trades_position',
  name: 'check_trades_position',
  summary: 'List the open positions of all live and paper deployments',
  description:
    'Positions of running and ended deployments, those of the newest deployment first. ' +
    'last_price is the newest of candle, quote and fill. It, unrealized_pnl and as_of are null if the symbol ' +
    'has neither candle nor quote yet.',
  caller: 'user',
  scope: 'read',
  input: { query: z.object({ user_id: z.string() }) },
  output: z.object({ positions: z.array(openPositionOut), as_of: timestamp().nullable() }),
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId } }, call) => {
    const running = await markSummaries(call, await readRunning(call, userId));
    const positions = running.flatMap((summary) =>
      summary.positions.map((position) => ({
        deployment_id: summary.deployment_id,
        strategy_id: summary.strategy_id,
        strategy_name: summary.strategy_name,
        broker_id: summary.broker_id ?? null,
        mode: summary.mode,
        status: summary.status,
        currency: summary.currency,
        ...presentPosition(position, summary.currency),
        opened_at: position.opened_at,
      })),
    );
    return { positions, as_of: oldest(positions.map(({ as_of }) => as_of)) };
  },
});
