import type { AssetClass } from '../../instruments/instruments.ts';
import type { Timeframe } from '../../strategies/strategies.ts';

/** Ready-made rules to begin with. */
export interface Template {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  /** Rules as a client would send them. */
  readonly rules: object;
  /** Suggested timeframes, the best first. */
  readonly timeframes: readonly Timeframe[];
  readonly asset_classes: readonly AssetClass[];
}

export const ALL: readonly AssetClass[] = ['equity', 'index', 'forex', 'commodity', 'crypto'];

export const CLOSE = { price: 'close' };
export const long = (when: object, more: object = {}) => ({ side: 'long', when, ...more });
export const short = (when: object, more: object = {}) => ({ side: 'short', when, ...more });
export const compare = (left: unknown, op: string, right: unknown) => ({ left, op, right });
export const percent = (value: unknown) => ({ type: 'percent', percent: value });
export const rulesOf = (parts: object) => ({ schema: 'hub.rules/1', ...parts });
