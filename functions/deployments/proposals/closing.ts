import { HubError } from '../../../shared/api/errors.ts';
import { closedProposalWrite, openProposals } from '../../../shared/data/proposals/proposals.ts';
import type { Strategy } from '../../../shared/data/strategies/strategies.ts';
import { type Items, itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import type { User } from '../../../shared/data/users/users.ts';
import { unknownProposal } from './proposal-record.ts';

interface Confirming {
  readonly mode: string;
  readonly proposal_id?: string | undefined;
}

/**
 * Returns the write that closes the proposal that a deployment confirms, so that it is confirmed once.
 *
 * @param items with the item of the user's proposals.
 * @throws HubError proposal_unknown, rules_changed
 */
export const closingWrites = (
  items: Items,
  user: User,
  { mode, proposal_id: id }: Confirming,
  { strategy, now }: { readonly strategy: Strategy; readonly now: Date },
): Write[] => {
  if (id === undefined) return [];
  const open = openProposals(itemWith(items, keys.proposals(user.user_id)), user, now);
  const named = open.find(([one]) => one === id)?.[1];
  if (mode !== 'live' || named?.strategy_id !== strategy.strategy_id) throw unknownProposal();
  if (named.strategy_version !== strategy.version) {
    throw new HubError(
      'rules_changed',
      'The strategy was changed since the proposal. Look at it, and deploy by hand.',
    );
  }
  return [closedProposalWrite(user.user_id, id)];
};
