import * as z from 'zod';
import { defineOperation } from '../../../shared/api/operation.ts';
import { requireOwnSession } from '../../../shared/api/own-session.ts';
import { closedProposalWrite, openProposals } from '../../../shared/data/proposals/proposals.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { TransactionRefusedError } from '../../../shared/data/table/store.ts';

export const declineProposal = defineOperation({
  method: 'POST',
  path: '/decline_proposal',
  name: 'decline_proposal',
  summary: 'Decline or withdraw a proposed deployment',
  description:
    'Idempotent: `declined` is false if no such proposal waits. A key withdraws its own proposals only. Always requires a session or an API key of the user.',
  caller: 'user',
  extension: true,
  scope: 'trade:paper',
  assistant: {
    description: 'Withdraw a proposal that you made and that the user has not answered.',
    destructive: true,
    idempotent: true,
  },
  input: { query: z.object({ user_id: z.string(), proposal_id: z.string().max(64) }) },
  output: z.object({ declined: z.boolean() }),
  errors: ['session_required', 'platform_token_insufficient', 'user_unknown'],
  table: 'write',
  handler: async ({ query: { user_id: userId, proposal_id: id } }, call) => {
    requireOwnSession(call, 'Proposals require the session of the user. Sign in.', 'declines no proposals');
    const [user, found] = await Promise.all([
      call.user(),
      call.store.getMany([keys.proposals(userId)], { consistent: true }),
    ]);
    const keyId = call.apiKey()?.keyId;
    const open = openProposals(itemWith(found, keys.proposals(userId)), user, call.now);
    const named = open.find(([one]) => one === id)?.[1];
    if (!named || (keyId !== undefined && named.key_id !== keyId)) return { declined: false };
    const closed = closedProposalWrite(userId, id);
    try {
      await call.store.transact([closed]);
      return { declined: true };
    } catch (error) {
      // It was answered meanwhile.
      if (error instanceof TransactionRefusedError && error.has(closed)) return { declined: false };
      throw error;
    }
  },
});
