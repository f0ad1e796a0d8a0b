import * as z from 'zod';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Write } from '../table/writes.ts';
import { validKeys } from '../users/api-keys.ts';
import type { User } from '../users/users.ts';

/** The most proposals of a user that wait for an answer. */
export const MAX_PROPOSALS = 20;

/** Seconds for which a proposal waits for its user. */
export const PROPOSAL_S = 24 * 3600;

const proposalSchema = z.object({
  strategy_id: z.number(),
  strategy_name: z.string(),
  /** Rules that the proposer has seen; absent without rules. */
  rules_hash: z.string().optional(),
  /** Terms of the deployment, as the request to deploy has them. */
  terms: z.record(z.string(), z.unknown()),
  /** Text of the proposer. */
  reason: z.string().optional(),
  /** Key that proposed it; absent for the user's own session. */
  key_id: z.string().optional(),
  /** Epoch seconds. */
  created_at: z.number(),
  expires_at: z.number(),
});

export type Proposal = z.output<typeof proposalSchema>;

const proposalsSchema = z.object({ proposals: z.record(z.string(), proposalSchema) });

/** A proposal with its id. */
type OpenProposal = readonly [id: string, proposal: Proposal];

const storedIn = (item: Item | undefined): Readonly<Record<string, Proposal>> =>
  item ? parseItem(proposalsSchema, item).proposals : {};

/**
 * Lists the proposals that wait for their user, newest first. Those of a key that has ended are dropped with it.
 *
 * @param item read at the key of the user's proposals.
 */
export const openProposals = (item: Item | undefined, user: User, now: Date): OpenProposal[] => {
  const held = new Set(validKeys(user, now).map(([id]) => id));
  return Object.entries(storedIn(item))
    .filter(([, { expires_at }]) => expires_at * 1000 > now.getTime())
    .filter(([, { key_id }]) => key_id === undefined || held.has(key_id))
    .sort(([, left], [, right]) => right.created_at - left.created_at);
};

/**
 * Returns the write that adds a proposal and drops those that no longer wait. Its condition fails if the proposals changed
 * meanwhile.
 *
 * @param open those that still wait, of the item as read.
 */
export const newProposalWrite = (
  user: Pick<User, 'user_id'>,
  item: Item | undefined,
  open: readonly OpenProposal[],
  [id, proposal]: OpenProposal,
): Write => {
  const key = keys.proposals(user.user_id);
  const { created_at: now, expires_at: end } = proposal;
  if (!item) {
    return {
      put: { ...key, entity: 'proposals', proposals: { [id]: proposal }, expires_at_s: end },
      // An item that has expired may still be there.
      if: { condition: 'attribute_not_exists(pk) OR expires_at_s <= :now', values: { ':now': now } },
    };
  }
  const before = Object.keys(storedIn(item));
  const isOpen = new Set(open.map(([one]) => one));
  const dropped = before.flatMap((one, index) => (isOpen.has(one) ? [] : [`proposals.#p${index}`]));
  return {
    key,
    update: `SET proposals.#id = :proposal, expires_at_s = :end${dropped.length > 0 ? ` REMOVE ${dropped.join(', ')}` : ''}`,
    condition: [
      'size(proposals) = :count',
      ...before.map((_, index) => `attribute_exists(proposals.#p${index})`),
    ].join(' AND '),
    names: { '#id': id, ...Object.fromEntries(before.map((one, index) => [`#p${index}`, one])) },
    values: { ':proposal': proposal, ':end': end, ':count': before.length },
  };
};

/** Returns the write that closes a proposal. Its condition fails if there is no such proposal. */
export const closedProposalWrite = (userId: string, id: string): Write => ({
  key: keys.proposals(userId),
  update: 'REMOVE proposals.#id',
  condition: 'attribute_exists(proposals.#id)',
  names: { '#id': id },
});
