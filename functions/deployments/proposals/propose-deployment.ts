import * as z from 'zod';
import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { extensionRecord, integer } from '../../../shared/api/fields.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { requireOwnSession } from '../../../shared/api/own-session.ts';
import { archivedStrategy, unknownStrategy, unknownUser } from '../../../shared/api/refusals.ts';
import { commit } from '../../../shared/data/numbered-list/list-edit.ts';
import { retryOnConflict } from '../../../shared/data/numbered-list/retry.ts';
import {
  MAX_PROPOSALS,
  newProposalWrite,
  openProposals,
  PROPOSAL_S,
  type Proposal,
} from '../../../shared/data/proposals/proposals.ts';
import { asStrategy, type Strategy } from '../../../shared/data/strategies/strategies.ts';
import { type Budget, budgetOf, isSpent, spendWrite } from '../../../shared/data/table/budgets.ts';
import { type Items, itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { asUser, type User } from '../../../shared/data/users/users.ts';
import { readableText, tidy } from '../../../shared/domain/text.ts';
import { textId } from '../../../shared/ids.ts';
import { noticeKeys, noticeOf, type UserNotice } from '../../../shared/lifecycle/user-notices.ts';
import { parseCapital } from '../../../shared/records/amounts.ts';
import { parseCurrency } from '../accounts/currencies.ts';
import { readAccount } from '../forms/account-form.ts';
import { checkChannels, chosenSymbols, futureTime, parseChannels } from '../forms/choices.ts';
import { presentProposal, proposalOut, proposedTerms } from './proposal-record.ts';

const MAX_REASON = 500;

const proposalIn = extensionRecord(
  'ProposalIn',
  z.strictObject({
    strategy_id: integer(),
    terms: proposedTerms,
    reason: readableText({ max: MAX_REASON }).optional(),
  }),
);

type Terms = z.output<typeof proposedTerms>;

/**
 * Requires that the terms would fit a deployment, and names its symbols: those that the strategy gets later are not proposed.
 *
 * @throws ValidationError, HubError channel_unavailable, broker_unconnected
 */
const checkTerms = (terms: Terms, strategy: Strategy, user: User, items: Items, now: Date): Terms => {
  const capital = parseCapital(terms.starting_capital, parseCurrency(terms.currency), [
    'body',
    'terms',
    'starting_capital',
  ]);
  readAccount(terms, capital);
  checkChannels(parseChannels(terms.channels ?? 'push'), user);
  const symbols = chosenSymbols('symbols', terms.symbols, strategy.symbols).join(',');
  futureTime(terms.expires_at, now);
  const { account_id: account } = terms;
  const isConnected =
    account !== undefined && itemWith(items, keys.executionConnection(user.user_id, account)) !== undefined;
  if (!isConnected && terms.broker_id === undefined) {
    throw new HubError(
      'broker_unconnected',
      'Real orders need a connected account: name one of /get_execution_connections as account_id.',
    );
  }
  return { ...terms, symbols };
};

/** Requires that there is room for one more proposal. @throws HubError quota_reached */
const requireRoom = (
  open: number,
  items: Items,
  [minute, day]: readonly [Budget, Budget],
  now: Date,
): void => {
  if (open >= MAX_PROPOSALS) {
    throw new HubError('quota_reached', `${MAX_PROPOSALS} proposals wait for an answer already.`);
  }
  const spent = [minute, day].find((budget) => isSpent(itemWith(items, budget.key), budget));
  if (!spent) return;
  throw new HubError('quota_reached', 'Too many proposals: one a minute, and 40 a day (UTC).', {
    retryAfterS: (spent.endsAt - now.getTime()) / 1000,
  });
};

/** Returns the notice of a proposal. It holds no text of the proposer. */
const proposedNotice = (by: string, proposalId: string): UserNotice => ({
  kind: 'deployment_proposed',
  severity: 'info',
  title: 'A deployment with real money was proposed',
  body: `${by} proposes a deployment with real money. Nothing happens unless you confirm it in the console within 24 hours.`,
  data: { proposal_id: proposalId },
});

/** Stores a proposal, and notifies the user. */
const propose = (
  call: Call,
  userId: string,
  { strategy_id: strategyId, terms, reason }: z.output<typeof proposalIn>,
): Promise<{ readonly user: User; readonly id: string; readonly proposal: Proposal }> =>
  retryOnConflict(async () => {
    const { now, store, session } = call;
    const ring = await call.keyRing();
    const keyId = call.apiKey()?.keyId;
    const budgets = [
      budgetOf(ring, 'proposals_key', [userId, session?.sid ?? ''], now),
      budgetOf(ring, 'proposals_user', [userId], now),
    ] as const;
    const at = keys.proposals(userId);
    const items = await store.getMany(
      [
        at,
        keys.strategy(strategyId),
        ...budgets.map(({ key }) => key),
        ...(terms.account_id === undefined ? [] : [keys.executionConnection(userId, terms.account_id)]),
        // The keys of a notice have the user among them.
        ...noticeKeys(userId),
      ],
      { consistent: true },
    );
    const user = asUser(itemWith(items, keys.user(userId)));
    if (!user) throw unknownUser();
    const strategy = asStrategy(itemWith(items, keys.strategy(strategyId)));
    if (strategy?.user_id !== userId) throw unknownStrategy();
    if (strategy.status === 'archived') throw archivedStrategy();
    const checked = checkTerms(terms, strategy, user, items, now);
    const open = openProposals(itemWith(items, at), user, now);
    requireRoom(open.length, items, budgets, now);
    const nowS = Math.floor(now.getTime() / 1000);
    const id = textId(call.random);
    const proposal: Proposal = {
      strategy_id: strategy.strategy_id,
      strategy_name: strategy.strategy_name,
      strategy_version: strategy.version,
      ...(strategy.rules_hash !== undefined && { rules_hash: strategy.rules_hash }),
      terms: Object.fromEntries(Object.entries(checked).filter(([, value]) => value !== undefined)),
      ...(reason !== undefined && { reason: tidy(reason) }),
      ...(keyId !== undefined && { key_id: keyId }),
      created_at: nowS,
      expires_at: nowS + PROPOSAL_S,
    };
    const by = keyId === undefined ? 'A session of yours' : `The key or app ${keyId}`;
    const { edit, writes } = noticeOf(call, userId, proposedNotice(by, id), { items, now });
    const added = newProposalWrite(user, itemWith(items, at), open, [id, proposal]);
    await commit(store, [edit], [added, ...budgets.map((budget) => spendWrite(budget)), ...writes]);
    return { user, id, proposal };
  });

export const proposeDeployment = defineOperation({
  method: 'POST',
  path: '/propose_deployment',
  name: 'propose_deployment',
  summary: 'Propose a deployment with real orders',
  description:
    'Stores the request of `/deploy_live_strategy` with real orders, without its deploy key, for the owner, who is notified, sees it in the console, and confirms or declines it there within 24 hours. Places no orders: only a session of the owner with a step-up deploys. At most 20 wait; a key proposes once a minute, and a user gets 40 a day. The proposals of a key end with it. Always requires a session or an API key of the user.',
  caller: 'user',
  extension: true,
  scope: 'trade:paper',
  assistant: {
    description:
      'Propose that the user deploys a strategy with REAL money. It places no orders: the user sees the proposal in the console and decides there within 24 hours, so tell the user to look there. Take account_id from get_execution_connections, and give the reason in one or two sentences. Propose only when the user has asked for real trading, after an honest test and some time on paper.',
  },
  input: { query: z.object({ user_id: z.string() }), json: proposalIn },
  output: proposalOut,
  errors: [
    'session_required',
    'platform_token_insufficient',
    'user_unknown',
    'strategy_unknown',
    'strategy_archived',
    'broker_unconnected',
    'channel_unavailable',
    'quota_reached',
    'changed_meanwhile',
  ],
  table: 'write',
  handler: async ({ json }, call) => {
    requireOwnSession(call, 'A proposal requires the session or a key of the user.', 'proposes nothing');
    const { user_id: userId } = await call.user();
    const { user, id, proposal } = await propose(call, userId, json);
    return presentProposal(id, proposal, user);
  },
});
