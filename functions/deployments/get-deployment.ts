import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownDeployment } from '../../shared/api/refusals.ts';
import { markSummaries } from '../../shared/data/books/marked-summaries.ts';
import { unpackLedger } from '../../shared/data/books/packed-ledger.ts';
import { summaryOf } from '../../shared/data/books/summary.ts';
import {
  asDeployment,
  type Deployment,
  livesInBars,
  type TradingDeployment,
} from '../../shared/data/deployments/deployments.ts';
import { marksIn, notificationHeadKey } from '../../shared/data/deployments/notifications.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { CHANNELS, type Channel } from '../../shared/domain/deployments/signal-frequency.ts';
import { TIMEFRAMES } from '../../shared/domain/strategies/strategies.ts';
import { liveDeploymentCustomOut, presentTrading } from '../../shared/records/trading.ts';
import { deploymentControlOut, presentControl } from './records/control.ts';
import {
  notificationDeploymentOut,
  presentNotificationDeployment,
} from './records/notification-deployment.ts';
import { presentScanner, scannerDeploymentsOut } from './records/scanner.ts';

const channelsOf = (deployment: Deployment): Channel[] =>
  deployment.kind === 'scanner' ? ['push'] : deployment.channels;

/** Recorded candles of a replay. */
const replayOut = extensionRecord(
  'DeploymentReplay',
  z.object({
    symbol: z.string(),
    timeframe: z.enum(TIMEFRAMES),
    from: timestamp(),
    bars_a_minute: integer(),
  }),
);

export const getDeployment = defineOperation({
  method: 'GET',
  path: '/get_deployment',
  name: 'get_deployment',
  summary: 'Get a deployment of any kind',
  description:
    'State of a running or ended deployment, with the command that holds or stops it, and the record of its kind: ' +
    '`live`, `notification` or `scanner`; the others are null. `market_time` is true if its times are those of its bars, ' +
    'which for a replay and the demo market are not those of the clock. `replay` names the recorded candles on which it trades.',
  caller: 'user',
  scope: 'read',
  extension: true,
  assistant: { description: 'Reads one deployment of any kind with its state.' },
  input: { query: z.object({ user_id: z.string(), deployment_id: integer() }) },
  output: extensionRecord(
    'DeploymentState',
    z.object({
      ...deploymentControlOut.shape,
      channels: z.array(z.enum(CHANNELS)),
      market_time: z.boolean(),
      is_demo: z.boolean(),
      replay: replayOut.nullable(),
      live: liveDeploymentCustomOut.nullable(),
      notification: notificationDeploymentOut.nullable(),
      scanner: scannerDeploymentsOut.nullable(),
    }),
  ),
  errors: ['deployment_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, deployment_id: id } }, call) => {
    const head = notificationHeadKey(userId);
    const items = await call.store.getMany([keys.deployment(id), head], { consistent: true });
    const deployment = asDeployment(itemWith(items, keys.deployment(id)));
    if (deployment?.user_id !== userId) throw unknownDeployment();
    const presentLive = async (trading: TradingDeployment) => {
      const marked = await markSummaries(call, [summaryOf(trading, unpackLedger(trading.ledger))]);
      return marked.map(presentTrading)[0] ?? null;
    };
    const { kind } = deployment;
    return {
      ...presentControl(deployment),
      channels: channelsOf(deployment),
      market_time: livesInBars(deployment),
      is_demo: deployment.is_demo ?? false,
      replay: (kind === 'live' && deployment.replay) || null,
      live: kind === 'live' ? await presentLive(deployment) : null,
      notification:
        kind === 'notification'
          ? presentNotificationDeployment(deployment, marksIn(itemWith(items, head)))
          : null,
      scanner: kind === 'scanner' ? presentScanner(deployment) : null,
    };
  },
});
