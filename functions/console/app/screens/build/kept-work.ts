import type { Attempt } from '../../attempt.ts';
import type { History } from '../../rules/history.ts';
import type { Json } from '../../rules/json.ts';
import { user } from '../../session.ts';
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

const works = new Map<string, { readonly owner: string; readonly work: Work }>();

/** Keeps unsaved work until the page is closed; undefined forgets it. */
export const keepWork = (key: string, work: Work | undefined): void => {
  const owner = user.peek()?.userKey;
  if (work && owner !== undefined) works.set(key, { owner, work });
  else works.delete(key);
};

/** Returns the work that the signed-in user has left unsaved. */
export const keptWork = (key: string): Work | undefined => {
  const kept = works.get(key);
  return kept && kept.owner === user.peek()?.userKey ? kept.work : undefined;
};
