import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import type { Strategy } from '../../shared/data/strategies/strategies.ts';
import { FREQUENCIES } from '../../shared/domain/deployments/signal-frequency.ts';
import { TIMEFRAMES } from '../../shared/domain/strategies/strategies.ts';
import { MODEL_ACCOUNT } from './forms/account-form.ts';
import { checkChannels, chosenSymbols, futureTime, parseChannels } from './forms/choices.ts';
import {
  notificationDeploymentOut,
  presentNotificationDeployment,
} from './records/notification-deployment.ts';
import { deploy, requireDeployKey } from './starting/deploy.ts';
import { hubRunOf, setupKeys } from './starting/hub-run.ts';
import { pricesForm, requirePrices } from './starting/prices.ts';

export const deployNotificationStrategy = defineOperation({
  method: 'POST',
  path: '/deploy_notification_strategy',
  name: 'deploy_notification_strategy',
  summary: 'Deploy a strategy as notifications',
  description:
    'Notifies of the signals of the strategy that the deploy key names, until it is undeployed or expires. `prices=required` refuses symbols of which no bars arrive, with the ways out.',
  caller: 'deploy_key',
  scope: 'trade:paper',
  assistant: {
    description:
      'Sends the user a notification for each signal of a strategy, without trading. Ask the user before you call it.',
  },
  input: {
    query: z.object({ keygen: z.string() }),
    form: z.object({
      symbol: z.string().optional(),
      timeframe: z.enum(TIMEFRAMES).optional(),
      channels: z.string().optional(),
      expires_at: z.string().optional(),
      frequency: z.enum(FREQUENCIES).optional(),
      ...pricesForm,
    }),
  },
  output: notificationDeploymentOut,
  errors: [
    'strategy_unknown',
    'strategy_unsuitable',
    'strategy_archived',
    'platform_token_insufficient',
    'quota_reached',
    'kill_switch',
    'channel_unavailable',
    'prices_missing',
    'changed_meanwhile',
  ],
  table: 'write',
  uses: ['marketData'],
  recheck: ({ query: { keygen } }, call) => requireDeployKey(call, keygen),
  handler: async ({ query: { keygen }, form }, call) => {
    const channels = parseChannels(form.channels ?? 'push');
    const expiresAt = futureTime(form.expires_at, call.now);
    const choiceOf = (strategy: Strategy) => ({
      symbols: chosenSymbols('symbol', form.symbol, strategy.symbols),
      timeframe: form.timeframe ?? strategy.timeframe,
      field: 'symbol' as const,
    });
    const { deployment, marks } = await deploy(
      call,
      {
        keygen,
        kind: 'notification',
        extraReadsFor: (strategy, _items, { isHubRun }) =>
          isHubRun ? setupKeys(strategy, choiceOf(strategy)) : [],
      },
      async ({ strategy, user, items, isHubRun }, base) => {
        checkChannels(channels, user);
        const choice = choiceOf(strategy);
        if (isHubRun && form.prices === 'required') await requirePrices(call, choice, items);
        return {
          deployment: {
            ...base,
            kind: 'notification' as const,
            symbols: choice.symbols,
            timeframe: choice.timeframe,
            expires_at: expiresAt,
            channels,
            frequency: form.frequency ?? 'every_signal',
            signals_count: 0,
          },
          run: isHubRun ? hubRunOf(strategy, choice, { items, account: MODEL_ACCOUNT, call }) : undefined,
        };
      },
    );
    return presentNotificationDeployment(deployment, marks);
  },
});
