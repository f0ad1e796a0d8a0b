import {
  AccessRefusedError,
  BrokerLaterError,
  UnreadableAnswerError,
} from '../../channels/execution/execution-broker.ts';
import { findDueProtections, type Protection, saveProtection } from '../../data/execution/protections.ts';
import { compareAccount } from '../compare-account.ts';
import { type Access, BROKER_DOUBTS, type ExecutionRuntime, findAccess } from '../execution-runtime.ts';
import { haltRefused } from '../halt-refused.ts';
import { unlessTaken } from '../unless-taken.ts';
import { attendProtection, takeProtection } from './attend-protection.ts';
import { comparePosition, readBooks, reportUnknown, type TradeBooks } from './compare-position.ts';
import { type Listed, seeExits } from './see-exits.ts';
import { withSplit } from './split-exits.ts';

/** The most protections that are read at once. */
const MAX_DUE = 100;
const SECOND_MS = 1000;
/** Least and longest time for which an account waits whose broker does not answer. */
const MIN_WAIT_MS = 5 * SECOND_MS;
const MAX_WAIT_MS = 60 * SECOND_MS;
/** Pause of accounts that refuse the keys, or are not connected. */
const REFUSED_WAIT_MS = 5 * 60 * SECOND_MS;

/** Lets the protections of an account wait that cannot be attended. */
const postpone = async (
  work: ExecutionRuntime,
  protections: readonly Protection[],
  waitMs: number,
): Promise<void> => {
  const now = work.clock();
  const due_at = now.getTime() + waitMs;
  await Promise.all(
    protections.map((each) => unlessTaken(() => saveProtection(work.store, { ...each, due_at }, now))),
  );
};

/** Lists the open orders and the positions of an account: two calls for all its trades. */
const list = async (work: ExecutionRuntime, access: Access): Promise<Listed> => {
  const orders = await compareAccount(work, access);
  const all = [...orders.values()].flatMap((order) => [order, ...order.legs]);
  return {
    byClientId: orders,
    byBrokerId: new Map(all.map((order) => [order.brokerOrderId, order])),
    positions: await access.broker.listPositions(),
  };
};

/** Compares the position of a trade, and brings its exits to what they should be. */
const attendTrade = async (
  work: ExecutionRuntime,
  access: Access,
  protection: Protection,
  { listed, books, unknown }: { listed: Listed; books: TradeBooks | undefined; unknown: readonly string[] },
): Promise<void> => {
  const taken = await takeProtection(work, protection);
  const noted = { ...taken, reported: [...new Set([...taken.reported, ...unknown])] };
  // Fills of an exit since the last look are no difference.
  const seen = await withSplit(work, await seeExits(work, noted, access, listed), listed);
  const compared = books ? await comparePosition(work, seen, listed, books) : seen;
  await attendProtection(work, compared, access, { listed, isBrief: true });
};

/** Returns whether an error concerns all calls of an account. */
const isOfAccount = (error: unknown): boolean =>
  error instanceof AccessRefusedError ||
  (error instanceof BrokerLaterError && !(error instanceof UnreadableAnswerError));

/**
 * Attends the trades of an account. One at which an order cannot be read, or the hub fails, does not block the others: its
 * lease ends by itself.
 *
 * @throws AccessRefusedError, BrokerLaterError; AggregateError after all trades, if the hub failed at some.
 */
const attendTrades = async (
  work: ExecutionRuntime,
  access: Access,
  protections: readonly Protection[],
): Promise<void> => {
  const listed = await list(work, access);
  const errors: unknown[] = [];
  const books = await readBooks(work, protections, (error) => errors.push(error));
  const unknown = reportUnknown(work, protections, listed, books);
  for (const [index, protection] of protections.entries()) {
    if (!work.hasTime()) break;
    try {
      const known = { listed, books: books[index], unknown };
      await unlessTaken(() => attendTrade(work, access, protection, known));
    } catch (error) {
      if (isOfAccount(error)) throw error;
      if (error instanceof UnreadableAnswerError) {
        const { deployment_id } = protection;
        work.log.warn('an answer of a broker cannot be read', { deployment_id, reason: error.message });
      } else errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} trades failed`);
};

const attendAccount = async (work: ExecutionRuntime, protections: readonly Protection[]): Promise<void> => {
  const [first] = protections;
  if (!first) return;
  const access = await findAccess(work, first);
  if (!access) {
    work.log.error(BROKER_DOUBTS.disconnected, { deployment_id: first.deployment_id });
    await postpone(work, protections, REFUSED_WAIT_MS);
    return;
  }
  try {
    await attendTrades(work, access, protections);
  } catch (error) {
    if (error instanceof BrokerLaterError) {
      work.log.warn('a broker does not answer', { reason: error.message });
      const wait = Math.min(Math.max(error.retryAfterMs ?? 0, MIN_WAIT_MS), MAX_WAIT_MS);
      await postpone(work, protections, wait);
      return;
    }
    if (!(error instanceof AccessRefusedError)) {
      await postpone(work, protections, MAX_WAIT_MS);
      throw error;
    }
    for (const id of new Set(protections.map(({ deployment_id }) => deployment_id))) {
      await haltRefused(work, id, access);
    }
    await postpone(work, protections, REFUSED_WAIT_MS);
  }
};

/**
 * Attends the protections that are due: compares position, exits and books, and brings the exits to what they should be. A
 * failing account, or a protection that cannot be read, does not block the others.
 *
 * @returns the number of protections that were due.
 * @throws AggregateError after all accounts, if some failed or a protection cannot be read.
 */
export const followProtections = async (work: ExecutionRuntime): Promise<number> => {
  const errors: unknown[] = [];
  const due = await findDueProtections(work.store, work.adapter.name, {
    before: work.clock().getTime(),
    limit: MAX_DUE,
    onDamaged: (error) => errors.push(error),
  });
  const accounts = Map.groupBy(due, (each) => JSON.stringify([each.user_id, each.account_id]));
  const settled = await Promise.allSettled([...accounts.values()].map((each) => attendAccount(work, each)));
  errors.push(...settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} accounts or protections failed`);
  return due.length;
};
