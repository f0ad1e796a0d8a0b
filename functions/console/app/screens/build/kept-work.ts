import type { Attempt } from '../../attempt.ts';
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

const works = new Map<string, Work>();

const placeOf = (owner: string, key: string): string => JSON.stringify([owner, key]);

/**
 * Keeps unsaved work until the page is closed; undefined forgets it.
 *
 * @param owner key of the user who did the work, who may be signed out by now.
 */
export const keepWork = (owner: string, key: string, work: Work | undefined): void => {
  if (work) works.set(placeOf(owner, key), work);
  else works.delete(placeOf(owner, key));
};

/** Returns the work that a user has left unsaved. */
export const keptWork = (owner: string, key: string): Work | undefined => works.get(placeOf(owner, key));
