import { HubError, ValidationError } from '../../../shared/api/errors.ts';
import type { User } from '../../../shared/data/users/users.ts';
import { CHANNELS, type Channel } from '../../../shared/domain/deployments/signals.ts';

const isChannel = (text: string): text is Channel => CHANNELS.some((channel) => channel === text);

/** Reads the channels, separated by commas. @throws ValidationError */
export const parseChannels = (text: string): Channel[] => {
  const channels = text.split(',').map((part) => part.trim().toLowerCase());
  if (!channels.every(isChannel)) {
    const msg = `value is not a list of channels; permitted: ${CHANNELS.join(', ')}`;
    const ctx = { enum_values: CHANNELS };
    throw new ValidationError([{ loc: ['body', 'channels'], msg, type: 'type_error.enum', ctx }]);
  }
  return [...new Set(channels)];
};

const unavailable = (detail: string): HubError => new HubError('channel_unavailable', detail);

/** Requires that the user proved the address of each channel. @throws HubError channel_unavailable */
export const checkChannels = (channels: readonly Channel[], user: User): void => {
  if (channels.includes('email') && !user.email_verified)
    throw unavailable('Verify your e-mail before choosing it as a channel.');
  if (channels.includes('sms')) {
    if (user.plan === 'free') throw unavailable('Text messages require the pro plan.');
    if (!user.ph_verified) throw unavailable('Verify your phone before choosing text messages.');
  }
};

/**
 * Reads the symbols of the strategy that a form field chooses; all without a choice.
 *
 * @throws ValidationError
 */
export const chosenSymbols = (
  field: string,
  choice: string | undefined,
  symbols: readonly string[],
): string[] => {
  if (choice === undefined) return [...symbols];
  const chosen = [...new Set(choice.split(',').map((part) => part.trim().toUpperCase()))];
  if (!chosen.every((symbol) => symbols.includes(symbol))) {
    const msg = 'symbol is not one of the strategy';
    throw new ValidationError([{ loc: ['body', field], msg, type: 'value_error.symbol' }]);
  }
  return chosen;
};
