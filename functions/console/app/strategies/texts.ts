import { format } from '../format.ts';

const DIRECTIONS: Readonly<Record<string, string>> = {
  long: 'Long only',
  short: 'Short only',
  both: 'Long and short',
};

/** Names the directions that a strategy trades. */
export const directionText = (direction: string): string => DIRECTIONS[direction] ?? direction;

const UNITS: Readonly<Record<string, string>> = { m: 'minute', h: 'hour', d: 'day', w: 'week' };

/** Names the bars of a timeframe: `1-day bars`. */
export const barsText = (timeframe: string): string => {
  const [, count, unit] = /^(\d+)([mhdw])$/.exec(timeframe) ?? [];
  const name = unit === undefined ? undefined : UNITS[unit];
  return name === undefined ? timeframe : `${count}-${name} bars`;
};

const SHOWN_SYMBOLS = 3;

/** Lists symbols; of many, the first ones and the number of the others. */
export const symbolsText = (symbols: readonly string[]): string => {
  const rest = symbols.length - SHOWN_SYMBOLS;
  // A single further symbol takes no more space than its count.
  if (rest <= 1) return symbols.join(', ');
  return `${symbols.slice(0, SHOWN_SYMBOLS).join(', ')} and ${format.count(rest)} more`;
};

/** Names the people who can see a strategy. */
export type Visibility = 'private' | 'link' | 'profile' | 'explore';

/** Choices of who can see a strategy, with their effect. */
export const VISIBILITIES: Readonly<Record<Visibility, { readonly label: string; readonly effect: string }>> =
  {
    private: { label: 'Only you', effect: 'Nobody else can find, see or copy it.' },
    link: {
      label: 'People with the share key',
      effect: 'It is in no list. Everyone to whom you give the share key can copy it.',
    },
    profile: {
      label: 'Your profile',
      effect: 'Everyone can see it on your profile, with its results in percent, and like and copy it.',
    },
    explore: {
      label: 'Your profile and Explore',
      effect: 'Everyone can also find it in Explore.',
    },
  };

/** Returns who can see a strategy. */
export const visibilityOf = (strategy: {
  readonly publish_state: number;
  readonly is_listed: boolean;
}): Visibility => {
  if (strategy.is_listed) return 'explore';
  if (strategy.publish_state === 1) return 'profile';
  return strategy.publish_state === 2 ? 'link' : 'private';
};
