import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { FREQUENCIES } from '../../shared/domain/deployments/signals.ts';
import { TIMEFRAMES } from '../../shared/domain/strategies/strategies.ts';
import { checkChannels, chosenSymbols, futureTime, parseChannels } from './common/choices.ts';
import { deploy } from './common/deploy.ts';
import {
  notificationDeploymentOut,
  presentNotificationDeployment,
} from './records/notification-deployment.ts';

export const deployNotificationStrategy = defineOperation({
  method: 'POST',
  path: '/deploy_notification_strategy',
  name: 'deploy_notification_strategy',
  summary: 'Deploy a strategy as notifications',
  description:
    'Notifies of the signals of the strategy that the deploy key names, until it is undeployed or expires.',
  caller: 'deploy_key',
  input: {
    query: z.object({ keygen: z.string() }),
    form: z.object({
      symbol: z.string().optional(),
      timeframe: z.enum(TIMEFRAMES).optional(),
      channels: z.string().optional(),
      expires_at: z.string().optional(),
      frequency: z.enum(FREQUENCIES).optional(),
    }),
  },
  output: notificationDeploymentOut,
  errors: ['strategy_unknown', 'quota_reached', 'channel_unavailable', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query: { keygen }, form }, call) => {
    const channels = parseChannels(form.channels ?? 'push');
    const expiresAt = futureTime(form.expires_at, call.now);
    const { deployment, marks } = await deploy(
      call,
      { keygen, kind: 'notification' },
      ({ strategy, user }, base) => {
        checkChannels(channels, user);
        return {
          ...base,
          kind: 'notification' as const,
          symbols: chosenSymbols('symbol', form.symbol, strategy.symbols),
          timeframe: form.timeframe ?? base.timeframe,
          expires_at: expiresAt,
          channels,
          frequency: form.frequency ?? 'every_signal',
          signals_count: 0,
        };
      },
    );
    return presentNotificationDeployment(deployment, marks);
  },
});
