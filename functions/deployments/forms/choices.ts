import { HubError } from '../../../shared/api/errors.ts';
import { invalidValue } from '../../../shared/api/refusals.ts';
import type { User } from '../../../shared/data/users/users.ts';
import { CHANNELS, type Channel } from '../../../shared/domain/deployments/signal-frequency.ts';
import { isProven } from '../../../shared/domain/proven.ts';
import { readTime } from '../../../shared/domain/read-time.ts';

const isChannel = (text: string): text is Channel => CHANNELS.some((channel) => channel === text);

/** Reads the channels, separated by commas. @throws ValidationError */
export const parseChannels = (text: string): Channel[] => {
  const channels = text.split(',').map((part) => part.trim().toLowerCase());
  if (!channels.every(isChannel)) {
    const msg = `value is not a list of channels; permitted: ${CHANNELS.join(', ')}`;
    const ctx = { enum_values: CHANNELS };
    throw invalidValue(['body', 'channels'], msg, 'type_error.enum', ctx);
  }
  return [...new Set(channels)];
};

const unavailable = (detail: string): HubError => new HubError('channel_unavailable', detail);

/** Requires that the user proved the address of each channel. @throws HubError channel_unavailable */
export const checkChannels = (channels: readonly Channel[], user: User): void => {
  if (channels.includes('email') && !isProven(user))
    throw unavailable('Verify your e-mail before choosing it as a channel.');
  if (channels.includes('sms')) {
    if (user.plan === 'free') throw unavailable('Text messages require the pro plan.');
    if (!user.ph_verified) throw unavailable('Verify your phone before choosing text messages.');
  }
};

/**
 * Reads the symbols of the strategy that a field chooses; all without a choice.
 *
 * @throws ValidationError
 */
export const chosenSymbols = (
  field: string,
  choice: string | undefined,
  symbols: readonly string[],
  place: 'body' | 'query' = 'body',
): string[] => {
  if (choice === undefined) return [...symbols];
  const chosen = [...new Set(choice.split(',').map((part) => part.trim().toUpperCase()))];
  if (!chosen.every((symbol) => symbols.includes(symbol))) {
    throw invalidValue([place, field], 'symbol is not one of the strategy', 'value_error.symbol');
  }
  return chosen;
};

/** Reads an ISO-8601 time in the future; undefined without one. @throws ValidationError */
export const futureTime = (text: string | undefined, now: Date): string | undefined => {
  if (text === undefined) return undefined;
  const invalid = (msg: string) => invalidValue(['body', 'expires_at'], msg, 'value_error.datetime');
  const read = readTime(text.trim());
  if (read === undefined) throw invalid('invalid datetime format');
  const at = new Date(read);
  if (at <= now) throw invalid('ensure this value lies in the future');
  return at.toISOString();
};
