import { findRunning } from '../data/books/running-deployments.ts';
import { isExposed } from '../data/books/summary.ts';
import { retryOnConflict } from '../data/numbered-list/retry.ts';
import { outboxWrite } from '../data/outbox/outbox.ts';
import { beginDisconnect } from '../data/partner-c/ending.ts';
import { settleTally, talliesOf } from '../data/strategies/counts.ts';
import { changeLike } from '../data/strategies/likes.ts';
import { publish } from '../data/strategies/publishing.ts';
import { findStrategies, type Strategy } from '../data/strategies/strategies.ts';
import { asMarks } from '../data/strategies/strategy-marks.ts';
import { keys } from '../data/table/keys.ts';
import { pack } from '../data/table/packed.ts';
import type { Store } from '../data/table/store.ts';
import type { Write } from '../data/table/writes.ts';
import { type Account, accountOf } from '../data/user-data/account.ts';
import { type Deletion, newDeletionWrites, saveDeletion } from '../data/user-data/deletions.ts';
import { findHoldings } from '../data/user-data/holdings.ts';
import { NEVER_S } from '../data/users/credentials.ts';
import type { User } from '../data/users/users.ts';
import { isFinalDeploymentStatus } from '../domain/deployments/deployment-states.ts';
import { own } from '../domain/unknown-fields.ts';
import { textId } from '../ids.ts';
import type { Runtime } from '../runtime.ts';
import { stopDeployments } from './stop-deployments.ts';

const MINUTE_MS = 60_000;
/** Time in which messages of the last changes are delivered, and lists entered. */
const SETTLE_MS = 2 * MINUTE_MS;
/** Time after which a connection to partner C that cannot be revoked is removed. */
const MAX_REVOKE_MS = 2 * 24 * 60 * MINUTE_MS;
const REASON = 'The account is being deleted.';

type Given = Pick<Runtime, 'store' | 'clock' | 'random'>;

/** Reads whether a user has real deployments that run, or real positions or orders that are open. */
export const hasRealExposure = async (store: Store, userId: string): Promise<boolean> =>
  (await findRunning(store, userId)).some(
    (one) => one.mode === 'live' && (!isFinalDeploymentStatus(one.status) || isExposed(one)),
  );

interface DeletionRequest {
  readonly user: User;
  readonly by: Deletion['by'];
  /** Id of the session that asks. */
  readonly sid?: string;
  /** Writes of the proof that the user asks. */
  readonly extraWrites?: readonly Write[];
}

/**
 * Begins the deletion of an account: ends its sessions, tells the user, and leaves the work to a job. Check
 * {@link hasRealExposure} before.
 *
 * @throws TransactionRefusedError if the deletion has begun, or a further write is refused.
 */
export const requestDeletion = async (
  { store, clock, random }: Given,
  { user, by, sid = '', extraWrites = [] }: DeletionRequest,
): Promise<{ readonly deletion_id: string; readonly requested_at: string }> => {
  const now = clock();
  const deletion_id = textId(random);
  const deletion = { deletion_id, pseudonym: `deleted-${textId(random)}`, by, account: accountOf(user) };
  const session = own(user.sessions, sid);
  const mail = {
    kind: 'notification_mail',
    to: user.email,
    title: 'Your account is being deleted',
    body: 'Your deployments stop, and all records of your account are removed within a week. If you did not ask for this, contact the operator of the service at once.',
  } as const;
  await store.transact([
    ...newDeletionWrites(deletion, session && { sid, session }, now),
    outboxWrite(textId(random), mail, now),
    ...extraWrites,
  ]);
  return { deletion_id, requested_at: now.toISOString() };
};

/** Change of a deletion by a step, and the pause before the next one. */
interface Step {
  readonly change: Parameters<typeof saveDeletion>[2];
  readonly pauseMs?: number;
}

/** Deletion that has not ended. */
type Work = Deletion & { readonly account: Account };

const waitFor = (waits_for: string, pauseMs: number): Step => ({ change: { waits_for }, pauseMs });

const stop = async (runtime: Runtime, deletion: Work): Promise<Step> => {
  const { store, clock } = runtime;
  const { user_id } = deletion.account;
  const running = await stopDeployments(runtime, user_id, { by: deletion.by, reason: REASON });
  // Someone with the user_id may have deployed after the check of the request.
  if (await hasRealExposure(store, user_id)) return waitFor('real orders or positions', 10 * MINUTE_MS);
  if (running > 0) return waitFor('deployments', MINUTE_MS);
  const [connection] = await store.getMany([keys.partnerCConnection(user_id)], { consistent: true });
  const isOverdue = clock().getTime() > Date.parse(deletion.requested_at) + MAX_REVOKE_MS;
  if (connection && !isOverdue) {
    if (connection.status !== 'disconnecting') await beginDisconnect(store, user_id, clock());
    return waitFor('partner C', MINUTE_MS);
  }
  return { change: { stage: 'withdrawing', waits_for: undefined }, pauseMs: SETTLE_MS };
};

/** Returns the writes that leave a strategy which others copied or like, without its author. */
const orphanWrites = ({ strategy_id, user_id }: Strategy, pseudonym: string): Write[] => [
  {
    key: keys.strategy(strategy_id),
    set: {
      user_id: pseudonym,
      user_key: pseudonym,
      author_name: 'Deleted user',
      author_avatar_url: undefined,
      strategy_name: 'Deleted strategy',
      description: undefined,
      // Opens nothing: a deploy key begins with the id of its strategy.
      keygen: '',
      record_id: undefined,
      record_version: undefined,
      record_identity: undefined,
    },
    if: { condition: 'user_id = :owner', values: { ':owner': user_id } },
  },
  { delete: keys.rulesHistory(strategy_id) },
];

/**
 * Takes back likes and published strategies with all that counts or shows them, and removes the user, so that nothing
 * more is made. Strategies that others copied or like stay, archived and without their author.
 */
const withdraw = async ({ store, clock, random }: Runtime, { account, pseudonym }: Work): Promise<Step> => {
  const { user_id: userId, email } = account;
  const holdings = await findHoldings(store, account);
  const [marked] = await store.getMany([keys.strategyMarks(userId)], { consistent: true });
  for (const id of asMarks(marked).liked) {
    await retryOnConflict(() => changeLike(store, { userId, strategyId: id, liked: false }, clock()));
  }
  for (const tallied of await talliesOf(store, userId)) await settleTally(store, tallied, 'gone');
  for (const strategyId of holdings.strategies) {
    await retryOnConflict(() =>
      publish(store, { userId, strategyId, to: { archived: true }, now: clock(), random }),
    );
  }
  const strategies = (await findStrategies(store, holdings.strategies)).flatMap((one) => one ?? []);
  const kept = strategies.filter(({ copy_count, like_count }) => copy_count > 0 || like_count > 0);
  for (const strategy of kept) await store.transact(orphanWrites(strategy, pseudonym));
  await store.transact([
    { delete: keys.user(userId) },
    // The e-mail neither signs in nor registers until the end.
    {
      key: keys.credentials(email),
      set: { user_id: undefined, password_hash: undefined, reserved: { user_id: pseudonym, until: NEVER_S } },
    },
  ]);
  const keptIds = new Set(kept.map(({ strategy_id }) => strategy_id));
  const own = { ...holdings, strategies: holdings.strategies.filter((id) => !keptIds.has(id)) };
  return { change: { stage: 'sweeping', holdings: pack(own) } };
};

const STAGES = { stopping: stop, withdrawing: withdraw } as const;

type Stepping = Work & { readonly stage: keyof typeof STAGES };

const isStepping = (deletion: Deletion): deletion is Stepping =>
  deletion.account !== undefined && deletion.stage !== 'sweeping';

/**
 * Goes on with the deletion of an account, step by step, until it waits or takes part in the shared walk, which ends it.
 * Each step can be repeated, and progress is saved after each, so the work goes on after a crash or a time limit.
 *
 * @returns the deletion as stored; undefined if another worker has it.
 */
export const continueDeletion = async (
  runtime: Runtime,
  found: Deletion,
  hasTime: () => boolean,
): Promise<Deletion | undefined> => {
  const { store, clock } = runtime;
  if (!isStepping(found)) return found;
  // Takes the lease.
  let deletion = await saveDeletion(store, found, {}, clock());
  while (deletion && isStepping(deletion) && hasTime()) {
    const { change, pauseMs = 0 }: Step = await STAGES[deletion.stage](runtime, deletion);
    const now = clock();
    const dueAt = pauseMs > 0 ? now.getTime() + pauseMs : undefined;
    deletion = await saveDeletion(store, deletion, change, now, { dueAt });
    if (pauseMs > 0) break;
  }
  return deletion;
};
