import * as z from 'zod';
import { HubError, ValidationError } from '../../shared/api/errors.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import type { User } from '../../shared/data/users.ts';
import { CHANNELS, type Channel, FREQUENCIES } from '../../shared/domain/signals.ts';
import { TIMEFRAMES } from '../../shared/domain/strategies.ts';
import { deploy } from './deploy.ts';
import { futureTime } from './expiry.ts';
import { presentNotificationDeployment } from './present.ts';
import { notificationDeploymentOut } from './records.ts';

const isChannel = (text: string): text is Channel => CHANNELS.some((channel) => channel === text);

/** Reads the channels, separated by commas. @throws ValidationError */
const parseChannels = (text: string): Channel[] => {
  const channels = text.split(',').map((part) => part.trim().toLowerCase());
  if (!channels.every(isChannel)) {
    const msg = `value is not a list of channels; permitted: ${CHANNELS.join(', ')}`;
    throw new ValidationError([{ loc: ['body', 'channels'], msg, type: 'type_error.enum' }]);
  }
  return [...new Set(channels)];
};

const unavailable = (detail: string): HubError => new HubError('channel_unavailable', detail);

/** A channel leads to somebody only when it is known to be theirs. @throws HubError channel_unavailable */
const checkChannels = (channels: readonly Channel[], user: User): void => {
  if (channels.includes('email') && !user.email_verified)
    throw unavailable('Verify your e-mail before you choose it.');
  if (channels.includes('sms')) {
    if (user.plan === 'free') throw unavailable('Text messages come with the pro plan.');
    if (!user.ph_verified) throw unavailable('Verify your phone before you choose text messages.');
  }
};

export const deployNotificationStrategy = defineOperation({
  method: 'POST',
  path: '/deploy_notification_strategy',
  name: 'deploy_notification_strategy',
  summary: 'Deploy a strategy as notifications',
  description:
    'Tells of the signals of the strategy that the deploy key names, until it is undeployed or expires.',
  caller: 'anyone',
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
          symbols: chosenSymbols(form.symbol, strategy.symbols),
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

/** The symbols of the strategy that shall be told of; all without a choice. @throws ValidationError */
const chosenSymbols = (choice: string | undefined, symbols: readonly string[]): string[] => {
  if (choice === undefined) return [...symbols];
  const chosen = [...new Set(choice.split(',').map((part) => part.trim().toUpperCase()))];
  if (!chosen.every((symbol) => symbols.includes(symbol))) {
    const msg = 'symbol is not one of the strategy';
    throw new ValidationError([{ loc: ['body', 'symbol'], msg, type: 'value_error.symbol' }]);
  }
  return chosen;
};
