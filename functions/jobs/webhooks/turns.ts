import { ownerName, type WebhookOwner } from '../../../shared/data/webhooks/endpoints.ts';

/** Milliseconds of a run for all that one owner has, so that all owners get a turn. */
const TURN_MS = 15_000;

/** Due work of one owner, in its order. */
export interface OwnersTurn<T> {
  readonly owner: string;
  readonly due: readonly T[];
}

/** Groups due work by its owner: owners run side by side, and what one of them has in turn. */
export const turnsOf = <T extends { readonly owner: WebhookOwner }>(due: readonly T[]): OwnersTurn<T>[] =>
  [...Map.groupBy(due, ({ owner }) => ownerName(owner))].map(([owner, own]) => ({ owner, due: own }));

/** Returns whether the turn of an owner goes on. The first item always has its turn. */
export const beginTurn = (
  hasTime: () => boolean,
  now: () => number = () => performance.now(),
): (() => boolean) => {
  const end = now() + TURN_MS;
  return () => now() < end && hasTime();
};
