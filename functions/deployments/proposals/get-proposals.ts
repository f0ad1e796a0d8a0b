import * as z from 'zod';
import { defineOperation } from '../../../shared/api/operation.ts';
import { requireOwnSession } from '../../../shared/api/own-session.ts';
import { openProposals } from '../../../shared/data/proposals/proposals.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { presentProposal, proposalOut } from './proposal-record.ts';

export const getProposals = defineOperation({
  method: 'GET',
  path: '/get_proposals',
  name: 'get_proposals',
  summary: 'List the proposed deployments that wait for an answer',
  description:
    'At most 20, newest first. `reason` is text of the proposer: show it as a quotation. Confirm one by `/deploy_live_strategy` with its terms and its `proposal_id`. Always requires a session or an API key of the user.',
  caller: 'user',
  extension: true,
  scope: 'read',
  assistant: { description: 'List the proposals of real deployments that the user has not answered yet.' },
  input: { query: z.object({ user_id: z.string() }) },
  output: z.object({ proposals: z.array(proposalOut) }),
  errors: ['session_required', 'platform_token_insufficient', 'user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId } }, call) => {
    requireOwnSession(call, 'Proposals require the session of the user. Sign in.', 'shows no proposals');
    const [user, found] = await Promise.all([
      call.user(),
      call.store.getMany([keys.proposals(userId)], { consistent: true }),
    ]);
    const open = openProposals(itemWith(found, keys.proposals(userId)), user, call.now);
    return { proposals: open.map(([id, proposal]) => presentProposal(id, proposal, user)) };
  },
});
