import { asStoredOrder, orderKey } from '../../../shared/data/books/orders.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { asDeployment, type TradingDeployment } from '../../../shared/data/deployments/deployments.ts';
import { ENGINE_ACCOUNTS_DUE, engineEvent } from '../../../shared/data/engine/events.ts';
import { fillWrite, findRealInputs, type StoredRealInput } from '../../../shared/data/engine/real-inputs.ts';
import { type AccountSub, storeSub, subWrites } from '../../../shared/data/engine/subscriptions.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { readTotals } from '../../../shared/data/users/risk-totals.ts';
import type { Effect } from '../../../shared/lifecycle/effect.ts';
import type { Span } from '../../../shared/lifecycle/engine-accounts/advance-account.ts';
import {
  advanceRealAccount,
  allowedBy,
  type RealAdvanced,
  type RealContext,
} from '../../../shared/lifecycle/engine-accounts/advance-real-account.ts';
import { decideBooksReport } from '../../../shared/lifecycle/reports/decide-books-report.ts';
import { bookParts, type Part } from '../book-parts.ts';
import type { EngineRuntime } from '../engine-runtime.ts';
import { GONE, type Served, type ServeOptions, type Source } from '../fill-source.ts';
import { dropSub } from '../leave-program.ts';
import { OutdatedError } from '../passing-errors.ts';
import { limitClose } from './limit-close.ts';
import { limited, withEntering } from './limit-request.ts';
import { factsOf, freshFrom, messagesOf, reportOf } from './order-messages.ts';

interface Known {
  readonly deployment: TradingDeployment;
  readonly inputs: readonly StoredRealInput[];
}

/** Reads the deployment, then what happened: so that no input before its version is missing. */
const readKnown = async ({ store }: EngineRuntime, sub: AccountSub): Promise<Known | undefined> => {
  const key = keys.deployment(sub.deployment_id);
  const items = await store.getMany([key], { consistent: true });
  const deployment = asDeployment(itemWith(items, key));
  if (deployment?.kind !== 'live') return undefined;
  // Inputs ascend with the versions of the deployment; what an account has seen is part of its own state.
  return { deployment, inputs: await findRealInputs(store, sub.deployment_id, sub.seen_inputs ?? 0) };
};

interface Booking {
  readonly version: number;
  readonly advanced: RealAdvanced;
  readonly context: RealContext;
  readonly end: number;
}

/** Decides a request: its order and its message to the broker. @throws OutdatedError */
const decideRequest = async (
  engine: EngineRuntime,
  { version, advanced }: Booking,
  { index, isLast, sub, found, now, items }: Part,
): Promise<Effect> => {
  // A booking that has begun goes on.
  if (found?.kind !== 'live' || (!sub.booking && found.version !== version)) throw new OutdatedError();
  const request = advanced.requests[index];
  const isWatched = request?.kind === 'entry' && found.limits?.all !== undefined;
  const totals = isWatched ? await readTotals(engine.store, found.user_id) : undefined;
  const ledger = unpackLedger(found.ledger);
  const passed = request && limited(found, request, { ledger, totals }, now);
  const report = passed && reportOf(found, passed, now);
  const known = {
    now,
    items,
    recalled: undefined,
    instruments: engine.memory.instruments,
    facts: factsOf(passed),
  };
  const effect = report && (await decideBooksReport(engine, found, report, known));
  // An order that the broker has reported on is not lost, even if it waits for the market to open.
  const isReported =
    request?.kind === 'cancel' &&
    request.isLost &&
    asStoredOrder(itemWith(items, orderKey({ ...sub, client_order_id: request.client_order_id })))?.status !==
      'pending';
  // A known order was booked with its message by an earlier attempt.
  const isNew = passed !== undefined && !isReported && (report === undefined || effect !== undefined);
  const isRefused = passed?.kind !== request?.kind;
  return {
    notifications: [],
    ...effect,
    totals,
    deployment:
      effect?.deployment.kind === 'live' && isNew ? withEntering(effect.deployment, passed, now) : found,
    messages: [
      ...(effect?.messages ?? []),
      ...(isNew ? messagesOf(found, passed, now) : []),
      ...(isRefused ? [engineEvent(ENGINE_ACCOUNTS_DUE, sub.deployment_id)] : []),
    ],
    writes: [
      ...(effect?.writes ?? []),
      // The account believes that it asked for the entry.
      ...(isRefused && effect?.order ? [fillWrite(found.version, effect.order)] : []),
      ...(isLast ? subWrites(sub, advanced.after) : []),
    ],
  };
};

/** Books what an account asks of its broker: orders with their messages. */
const book = async (engine: EngineRuntime, sub: AccountSub, booking: Booking): Promise<void> => {
  const { advanced, context, end } = booking;
  await bookParts(engine, sub, {
    count: advanced.requests.length,
    begun: { ...sub, booking: { end, entries: true, live: context } },
    readsOf: (index) => {
      const request = advanced.requests[index];
      if (!request || request.kind === 'protect') return [];
      if (request.kind === 'cancel' && !request.isLost) return [];
      return [orderKey({ ...sub, client_order_id: request.client_order_id })];
    },
    decide: (part) => decideRequest(engine, booking, part),
  });
};

const contextOf = (
  { clock }: EngineRuntime,
  sub: AccountSub,
  { deployment, inputs }: Known,
): RealContext => ({
  inputs: inputs.at(-1)?.number ?? sub.seen_inputs ?? 0,
  ...allowedBy(deployment),
  fresh_from: freshFrom(deployment, clock()),
  ...(deployment.missing?.includes(sub.symbol) && { is_missing: true }),
});

const attempt = async (
  engine: EngineRuntime,
  span: Span,
  sub: AccountSub,
  { save, onActive }: ServeOptions,
): Promise<Served> => {
  let known = await readKnown(engine, sub);
  // Losses come first: a deployment that a limit stops enters no more at this bar.
  const isLimited = known && !sub.booking && (await limitClose(engine, known.deployment, sub, span));
  if (isLimited) known = await readKnown(engine, sub);
  if (!known) {
    await dropSub(engine, sub);
    return GONE;
  }
  // Goes on with what was begun.
  const end = sub.booking?.end ?? span.end;
  const context = sub.booking?.live ?? contextOf(engine, sub, known);
  const advanced = advanceRealAccount({ ...span, end }, sub, known.inputs, context);
  const { after, changed, isWorking, isExposed } = advanced;
  const isActive = after.kind === 'A';
  if (changed) {
    if (isActive && sub.kind === 'F') await onActive?.();
    await book(engine, sub, { version: known.deployment.version, advanced, context, end });
  } else if (after.at > sub.at && (save || context.state !== 'active')) {
    // Entries that the deployment did not allow at a bar must not be made up for.
    await storeSub(engine.store, sub, after);
  }
  return { isActive, isDone: !isWorking && !(context.flatten && isExposed && !context.is_missing) };
};

/** A broker reports the fills of an account with real orders. */
export const realSource = (engine: EngineRuntime, span: Span, options: ServeOptions): Source => ({
  // Another worker booked a part of it, and has the bars.
  passes: ({ booking }) =>
    booking && booking.end > span.end ? { isActive: true, isDone: false } : undefined,
  attempt: async (sub) => {
    const served = await attempt(engine, span, sub, options);
    return sub.booking ? undefined : served;
  },
  // Others change the deployment: at the close of a bar, the accounts of its other symbols do.
  learn: (error) => error instanceof OutdatedError,
  failsAt: () => engine.clock().getTime(),
});
