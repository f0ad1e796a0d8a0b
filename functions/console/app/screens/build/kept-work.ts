import type { Attempt } from '../../attempt.ts';
import { keptValues } from '../../kept.ts';
import type { History } from '../../rules/history.ts';
import type { Json } from '../../rules/json.ts';
import type { Market } from './market.ts';
import type { Target } from './save.ts';

/** State of the editor, which outlives the screen: an expired session must not cost the work. */
export interface Work {
  readonly history: History<Json>;
  readonly market: Market;
  /** Rules as saved; undefined for a strategy without. */
  readonly saved: Json | undefined;
  /** Undefined until a new strategy is made. */
  readonly target: Target | undefined;
  readonly attempt: Attempt | undefined;
}

/** Unsaved work by user and strategy. It is kept also when the screen is left. */
export const works = keptValues<Work>();
