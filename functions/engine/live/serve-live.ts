import { asStoredOrder, orderKey } from '../../../shared/data/books/orders.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import {
  asDeployment,
  type Deployment,
  type TradingDeployment,
} from '../../../shared/data/deployments/deployments.ts';
import { ENGINE_ACCOUNTS_DUE, engineEvent } from '../../../shared/data/engine/events.ts';
import { fillWrite, findLiveInputs, type StoredLiveInput } from '../../../shared/data/engine/live-inputs.ts';
import {
  type AccountSub,
  readSub,
  storeSub,
  subGuard,
  subKey,
  subWrites,
} from '../../../shared/data/engine/subscriptions.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Span } from '../../../shared/lifecycle/accounts/advance-account.ts';
import {
  advanceRealAccount,
  allowedBy,
  type LiveAdvanced,
  type LiveContext,
} from '../../../shared/lifecycle/accounts/advance-real-account.ts';
import { changeDeployment } from '../../../shared/lifecycle/deployment-change.ts';
import type { Effect } from '../../../shared/lifecycle/effect.ts';
import { decideBooksReport } from '../../../shared/lifecycle/reports/decide-books-report.ts';
import type { EngineRuntime } from '../engine-runtime.ts';
import { failDeployment, isPermanent } from '../fail-deployment.ts';
import { dropSub } from '../leave-program.ts';
import { isStale, OutdatedError } from '../passing-errors.ts';
import { settleFailed } from '../settle-failed.ts';
import { limitClose } from './limit-close.ts';
import { limited, withEntering } from './limit-request.ts';
import { factsOf, freshFrom, messagesOf, reportOf } from './order-report.ts';

/** Attempts whose writes are refused, in a row. */
const MAX_ATTEMPTS = 8;

interface Known {
  readonly deployment: TradingDeployment;
  readonly inputs: readonly StoredLiveInput[];
}

/** Reads the deployment, then what happened: so that no input before its version is missing. */
const readKnown = async ({ store }: EngineRuntime, sub: AccountSub): Promise<Known | undefined> => {
  const key = keys.deployment(sub.deployment_id);
  const items = await store.getMany([key], { consistent: true });
  const deployment = asDeployment(itemWith(items, key));
  if (deployment?.kind !== 'live') return undefined;
  // Inputs ascend with the versions of the deployment; what an account has seen is part of its own state.
  return { deployment, inputs: await findLiveInputs(store, sub.deployment_id, sub.seen_inputs ?? 0) };
};

interface Booking {
  /** Changes with the first of several requests. */
  sub: AccountSub;
  readonly version: number;
  readonly advanced: LiveAdvanced;
  readonly context: LiveContext;
  readonly end: number;
}

/** @throws OutdatedError */
const requireUnchanged = (
  { sub, version }: Booking,
  deployment: Deployment | undefined,
): TradingDeployment => {
  if (deployment?.kind !== 'live') throw new OutdatedError();
  if (!sub.booking && deployment.version !== version) throw new OutdatedError();
  return deployment;
};

/**
 * Books a request: its order, its message and, with the last one, the account are one transaction. A crash repeats
 * requests, which changes nothing. The first of several marks the account, so that a repeat asks for the same.
 */
const book = async (engine: EngineRuntime, booking: Booking, index: number): Promise<void> => {
  const { sub, advanced, context, end } = booking;
  const { instruments } = engine.memory;
  const request = advanced.requests[index];
  const isLast = index >= advanced.requests.length - 1;
  const begun: AccountSub = { ...sub, booking: { end, entries: true, live: context } };
  const isCancel = request?.kind === 'cancel';
  const key = request && orderKey({ ...sub, client_order_id: request.client_order_id });
  const orderReads = key && (!isCancel || request.isLost) ? [key] : [];
  const changed = await changeDeployment(
    engine,
    sub.deployment_id,
    async (found, now, items): Promise<Effect | undefined> => {
      const deployment = requireUnchanged(booking, found);
      const item = itemWith(items, subKey(sub));
      if (item?.rev !== sub.rev) throw new OutdatedError();
      const passed = request && limited(deployment, request, unpackLedger(deployment.ledger), now);
      const report = passed && reportOf(deployment, passed, now);
      const known = { now, items, recalled: undefined, instruments, facts: factsOf(passed) };
      const effect = report && (await decideBooksReport(engine, deployment, report, known));
      // An order that the broker has reported on is not lost, even if it waits for the market to open.
      const isReported =
        isCancel &&
        request.isLost &&
        key !== undefined &&
        asStoredOrder(itemWith(items, key))?.status !== 'pending';
      // A known order was booked with its message by an earlier attempt.
      const isNew = passed !== undefined && !isReported && (report === undefined || effect !== undefined);
      const isRefused = passed?.kind !== request?.kind;
      const marks = isLast
        ? subWrites(sub, advanced.after)
        : sub.booking
          ? [subGuard(sub)]
          : subWrites(sub, begun);
      return {
        notifications: [],
        ...effect,
        deployment:
          effect?.deployment.kind === 'live' && isNew
            ? withEntering(effect.deployment, passed, now)
            : deployment,
        messages: [
          ...(effect?.messages ?? []),
          ...(isNew ? messagesOf(deployment, passed, now) : []),
          ...(isRefused ? [engineEvent(ENGINE_ACCOUNTS_DUE, sub.deployment_id)] : []),
        ],
        writes: [
          ...(effect?.writes ?? []),
          // The account believes that it asked for the entry.
          ...(isRefused && effect?.order ? [fillWrite(deployment.version, effect.order)] : []),
          ...marks,
        ],
      };
    },
    [subKey(sub), ...orderReads],
  );
  if (changed && !isLast && !sub.booking) booking.sub = { ...begun, rev: sub.rev + 1 };
};

/** Result of serving an account with real orders. */
export interface ServedLive {
  /** True if the account has to see every bar. */
  readonly isActive: boolean;
  /** True if nothing of it is at the broker, or nothing that is to be closed. */
  readonly isDone: boolean;
}

interface LiveOptions {
  /** Stores the account even if it only moved on. */
  readonly save: boolean;
  /** Runs before an account that was not active becomes so. */
  readonly onActive: () => Promise<void>;
}

const contextOf = (
  { clock }: EngineRuntime,
  sub: AccountSub,
  { deployment, inputs }: Known,
): LiveContext => ({
  inputs: inputs.at(-1)?.number ?? sub.seen_inputs ?? 0,
  ...allowedBy(deployment),
  fresh_from: freshFrom(deployment, clock()),
  ...(deployment.missing?.includes(sub.symbol) && { is_missing: true }),
});

const GONE: ServedLive = { isActive: false, isDone: true };

const attempt = async (
  engine: EngineRuntime,
  span: Span,
  sub: AccountSub,
  { save, onActive }: LiveOptions,
): Promise<ServedLive> => {
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
    if (isActive && sub.kind === 'F') await onActive();
    const { version } = known.deployment;
    const booking: Booking = { sub, version, advanced, context, end };
    for (let index = 0; index < Math.max(1, advanced.requests.length); index += 1) {
      await book(engine, booking, index);
    }
  } else if (after.at > sub.at && (save || context.state !== 'active')) {
    // Entries that the deployment did not allow at a bar must not be made up for.
    await storeSub(engine.store, sub, after);
  }
  return { isActive, isDone: !isWorking && !(context.flatten && isExposed && !context.is_missing) };
};

/**
 * Serves an account with real orders: applies what the broker reported, advances it through bars, and books what it
 * asks of the broker. Safe to repeat, and for several workers at once.
 */
export const serveLive = async (
  engine: EngineRuntime,
  span: Span,
  found: AccountSub,
  options: Partial<LiveOptions> = {},
): Promise<ServedLive> => {
  const { save = false, onActive = async () => undefined } = options;
  let sub = found;
  for (let tries = 1; ; tries += 1) {
    if (sub.error !== undefined) {
      const isDone = sub.kind === 'A' && (await settleFailed(engine, sub));
      return { isActive: sub.kind === 'A' && !isDone, isDone };
    }
    // Another worker booked a part of it, and has the bars.
    if (sub.booking && sub.booking.end > span.end) return { isActive: true, isDone: false };
    const isBegun = sub.booking !== undefined;
    try {
      const served = await attempt(engine, span, sub, { save, onActive });
      if (!isBegun) return served;
    } catch (error) {
      if (isPermanent(error)) {
        const failing = await readSub(engine.store, sub.program_id, sub.deployment_id);
        const isDone = await failDeployment(engine, failing ?? sub, engine.clock().getTime(), error);
        return { isActive: !isDone, isDone };
      }
      if (!isStale(error) || tries === MAX_ATTEMPTS) throw error;
      // Others change the deployment: at the close of a bar, the accounts of its other symbols do.
      if (error instanceof OutdatedError) tries = 0;
    }
    const next = await readSub(engine.store, sub.program_id, sub.deployment_id);
    if (!next || next.kind === 'N') return GONE;
    sub = next;
  }
};
