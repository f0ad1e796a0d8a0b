import * as z from 'zod';
import { HubError } from '../../../shared/api/errors.ts';
import { extensionRecord, integer, timestamp } from '../../../shared/api/fields.ts';
import type { Proposal } from '../../../shared/data/proposals/proposals.ts';
import type { User } from '../../../shared/data/users/users.ts';
import { own } from '../../../shared/domain/unknown-fields.ts';
import { tradingForm } from '../forms/trading-form.ts';

/** Terms of a proposed deployment: those of `/deploy_live_strategy` with real orders. */
export const proposedTerms = extensionRecord('ProposedTerms', z.strictObject(tradingForm));

/** Terms as stored, with their defaults. */
const storedTerms = extensionRecord('ProposedTermsOut', z.object(tradingForm));

export const proposalOut = extensionRecord(
  'Proposal',
  z.object({
    proposal_id: z.string(),
    strategy_id: integer(),
    strategy_name: z.string(),
    rules_hash: z.string().nullable(),
    terms: storedTerms,
    reason: z.string().nullable(),
    api_key_id: z.string().nullable(),
    proposed_by: z.string().nullable(),
    created_at: timestamp(),
    expires_at: timestamp(),
  }),
);

/** Refuses an id of which no proposal waits. */
export const unknownProposal = (): HubError =>
  new HubError('proposal_unknown', 'No such proposal waits: it was answered, withdrawn, or has expired.');

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Presents a proposal to its user. */
export const presentProposal = (
  proposal_id: string,
  { strategy_id, strategy_name, rules_hash, terms, reason, key_id, created_at, expires_at }: Proposal,
  user: User,
): z.output<typeof proposalOut> => ({
  proposal_id,
  strategy_id,
  strategy_name,
  rules_hash: rules_hash ?? null,
  terms: storedTerms.parse(terms),
  reason: reason ?? null,
  api_key_id: key_id ?? null,
  proposed_by: key_id === undefined ? null : (own(user.api_keys ?? {}, key_id)?.name ?? null),
  created_at: timeOf(created_at),
  expires_at: timeOf(expires_at),
});
