import type { Recalled } from '../../shared/data/books/book-memory.ts';
import { unpackLedger } from '../../shared/data/books/packed-ledger.ts';
import type { Deployment } from '../../shared/data/deployments/deployments.ts';
import { findInputs, movedInputWrite, type RecordedHold } from '../../shared/data/engine/inputs.ts';
import {
  type AccountSub,
  readSub,
  type Sub,
  storeUnheldSub,
  subGuard,
  subKey,
  subWrites,
} from '../../shared/data/engine/subscriptions.ts';
import { usedBarsWrite } from '../../shared/data/engine/used-bars.ts';
import { type Items, itemWith } from '../../shared/data/table/items.ts';
import type { Ledger } from '../../shared/domain/ledger/ledger-state.ts';
import { marketDaysDue } from '../../shared/domain/ledger/market-days.ts';
import type { Marks } from '../../shared/domain/risk/equity.ts';
import type { Span } from '../../shared/lifecycle/accounts/advance-account.ts';
import { type Advanced, advancePaperAccount } from '../../shared/lifecycle/accounts/advance-paper-account.ts';
import { accountTakesEntries, isAbandoned, isOver } from '../../shared/lifecycle/accounts/takes-entries.ts';
import { closeMarketDays } from '../../shared/lifecycle/close-days.ts';
import { changeDeployment } from '../../shared/lifecycle/deployment-change.ts';
import type { Effect } from '../../shared/lifecycle/effect.ts';
import { extraReadsOf } from '../../shared/lifecycle/reports/apply-to-books.ts';
import { decideBooksReport } from '../../shared/lifecycle/reports/decide-books-report.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { failDeployment, isPermanent } from './fail-deployment.ts';
import { dropSub, leaveProgram } from './leave-program.ts';
import { beginDay, countBooked, limitBar, readWatched } from './limit-account.ts';
import { serveLive } from './live/serve-live.ts';
import { isStale, OutdatedError } from './passing-errors.ts';
import { reportOfAccount } from './report-event.ts';
import { settleFailed } from './settle-failed.ts';
import { advanceWithSmaller } from './smaller-bars.ts';
import { type BookedSplit, splitEffect } from './split/book-split.ts';
import { splitAccount } from './split/split-account.ts';

/** Attempts at the same bar. */
const MAX_ATTEMPTS = 8;

/** The subscription changed since it was read, or its deployment takes entries no longer, or has another command. */
class OutdatedAccountError extends OutdatedError {
  readonly entries: boolean;
  /** True if risk limits apply that the account was not watched by. */
  readonly isLimited: boolean;
  constructor(entries: boolean, isLimited = false) {
    super('a subscription or its deployment has changed');
    this.name = 'OutdatedAccountError';
    this.entries = entries;
    this.isLimited = isLimited;
  }
}

/** The ledger has many open days before a report. */
class DaysDueError extends Error {
  constructor() {
    super('days have to be closed before a report is booked');
    this.name = 'DaysDueError';
  }
}

/** @throws OutdatedAccountError if the subscription is not the one that was read. */
const requireUnchanged = (sub: Sub, items: Items, entries: boolean): void => {
  const item = itemWith(items, subKey(sub));
  if (item?.rev !== sub.rev) throw new OutdatedAccountError(entries);
};

interface Booking {
  /** Changes with the first of several reports. */
  sub: AccountSub;
  readonly advanced: Advanced;
  readonly entries: boolean;
  /** Start of the last bar. */
  readonly end: number;
  /** Prices of other symbols, if the account is watched by risk limits. */
  readonly watched: Marks | undefined;
  /** Set if the reports restate the account. */
  readonly split: BookedSplit | undefined;
  /** Set if an entry was refused, which the account has to cancel. */
  isRefused: boolean;
}

const ledgerOf = (deployment: Deployment, recalled: Recalled | undefined): { readonly ledger?: Ledger } => {
  if (recalled) return { ledger: recalled.ledger };
  return deployment.kind === 'live' ? { ledger: unpackLedger(deployment.ledger) } : {};
};

/** Adds a split to the effect of the last report before it. */
const withSplit = async (
  engine: EngineRuntime,
  booked: Effect,
  { symbol }: AccountSub,
  split: BookedSplit,
): Promise<Effect> => {
  const { deployment, ledger } = booked;
  if (!ledger || deployment.kind !== 'live') return booked;
  return splitEffect(engine, booked, deployment, ledger, symbol, split);
};

interface BookOptions {
  /** Index of the report; past the end for an account without reports. */
  readonly index: number;
  /** True if the days before the report are closed as far as they can be. */
  readonly isClosed: boolean;
}

/** @throws DaysDueError */
const bookOnce = async (
  engine: EngineRuntime,
  booking: Booking,
  { index, isClosed }: BookOptions,
): Promise<boolean> => {
  const { sub, advanced, entries, end, watched, split } = booking;
  const { memory } = engine;
  const { used } = advanced;
  const begun: AccountSub = {
    ...sub,
    kind: 'A',
    booking: { end, entries, ...(split && { split }) },
    ...(used && { used }),
  };
  const report = advanced.reports[index];
  const onDeployment = report && reportOfAccount(sub.deployment_id, report);
  const order = report?.kind === 'order' ? report : undefined;
  const isLast = index >= advanced.reports.length - 1;
  const at = new Date(report?.at ?? (split ? split.at - 1 : end));
  let runs = true;
  let isEnding = false;
  const changed = await changeDeployment(
    engine,
    sub.deployment_id,
    async (found, now, items, recalled): Promise<Effect | undefined> => {
      runs = !isAbandoned(found);
      if (!found || !runs) return undefined;
      if (!recalled) requireUnchanged(sub, items, entries);
      const { last_hold = 0 } = found;
      // A booking that has begun goes on. Later commands take effect after it.
      if (!sub.booking) {
        if (last_hold > advanced.holds) throw new OutdatedAccountError(entries);
        if (accountTakesEntries(found) !== entries) throw new OutdatedAccountError(!entries);
      }
      isEnding = isOver(found) && advanced.held >= last_hold;
      const isLimited = found.kind === 'live' && found.limits !== undefined;
      if (isLimited && !watched) throw new OutdatedAccountError(entries, true);
      const { ledger } = ledgerOf(found, recalled);
      if (report && ledger && !isClosed && marketDaysDue(ledger, report.at) !== undefined) {
        throw new DaysDueError();
      }
      const deployment = watched && ledger ? beginDay(found, ledger, sub, advanced, watched) : found;
      const known = {
        now,
        items,
        recalled,
        instruments: memory.instruments,
        closes: order?.closes,
        facts: report?.facts,
      };
      const decided = onDeployment && (await decideBooksReport(engine, deployment, onDeployment, known));
      const effect = decided && report ? countBooked(decided, report) : decided;
      if (!isLast) {
        const marks = sub.booking ? [subGuard(sub)] : subWrites(sub, begun);
        return effect && { ...effect, at, writes: [...(effect.writes ?? []), ...marks] };
      }
      const booked: Effect = {
        deployment,
        notifications: [],
        ...(ledger && { ledger }),
        ...effect,
        at,
        writes: [
          ...(effect?.writes ?? []),
          ...advanced.moved.map((input) => movedInputWrite(sub.deployment_id, input)),
          ...(used ? [usedBarsWrite(sub.deployment_id, sub.symbol, used)] : []),
        ],
      };
      const last = split ? await withSplit(engine, booked, sub, split) : booked;
      const limited = await limitBar(engine, last, { sub, advanced, marks: watched, now });
      booking.isRefused = limited.isRefused;
      return limited.effect;
    },
    [subKey(sub), ...(onDeployment ? extraReadsOf(onDeployment) : [])],
    memory.books,
  );
  if (changed && !isLast && !sub.booking) booking.sub = { ...begun, rev: sub.rev + 1 };
  if (!isLast || !isEnding) return runs;
  await leaveProgram(engine.store, sub.program_id, sub.deployment_id);
  return true;
};

/**
 * Books a report of an account, after the days before it. The last one is one transaction with the account, so a crash
 * repeats reports, which changes nothing, but never loses one. The first one of several marks the account, so that a
 * pause or a manual close meanwhile leads to no other reports.
 *
 * @param index of the report; past the end for an account without reports.
 * @returns false if the deployment has ended.
 */
const book = async (engine: EngineRuntime, booking: Booking, index: number): Promise<boolean> => {
  try {
    return await bookOnce(engine, booking, { index, isClosed: false });
  } catch (error) {
    const report = booking.advanced.reports[index];
    if (!report || !(error instanceof DaysDueError)) throw error;
    await closeMarketDays(engine, booking.sub.deployment_id, report.at, engine.memory.books);
    return bookOnce(engine, booking, { index, isClosed: true });
  }
};

interface Attempted {
  readonly isActive: boolean;
  /** Start of the bar that the account was advanced through. */
  readonly at: number;
  /** True if the account has yet to cancel an entry. */
  readonly isRefused: boolean;
  /** True if the account was restated at the split. */
  readonly isSplit: boolean;
}

const attempt = async (
  engine: EngineRuntime,
  given: Span,
  sub: AccountSub,
  options: {
    readonly entries: boolean;
    readonly save: boolean;
    readonly holds: readonly RecordedHold[];
    readonly isLimited: boolean;
    readonly split: BookedSplit | undefined;
  },
): Promise<Attempted> => {
  // Goes on with what was begun.
  const { entries, end } = { entries: options.entries, end: given.end, ...sub.booking };
  if (end > given.end) throw new OutdatedAccountError(entries);
  const span = { ...given, end };
  const watched = options.isLimited ? await readWatched(engine, sub) : undefined;
  const begun = sub.booking?.split;
  // Commands come after the split that was begun.
  const moved = await advanceWithSmaller(engine, given, sub, (smallerOf) =>
    advancePaperAccount({ ...span, smallerOf }, sub, entries, begun ? [] : options.holds, watched?.watch),
  );
  // Bars, inputs and commands before the split are booked first.
  const split = moved.changed ? undefined : sub.booking ? begun : options.split;
  const advanced = split ? splitAccount(span.live, moved, split) : moved;
  const isSplit = split !== undefined;
  const result = { isActive: advanced.after.kind === 'A', at: advanced.after.at, isRefused: false, isSplit };
  if (!advanced.changed) {
    // An entry that a paused deployment left out must not be made up for when it goes on.
    if (options.save || !entries || advanced.isNoted) {
      await storeUnheldSub(engine.store, sub, advanced.after, advanced.holds);
    }
    return result;
  }
  const booking: Booking = {
    sub,
    advanced,
    entries,
    end: advanced.after.at,
    watched: watched?.marks,
    split,
    isRefused: false,
  };
  for (let index = 0; index < Math.max(1, advanced.reports.length); index++) {
    if (await book(engine, booking, index)) continue;
    await dropSub(engine, booking.sub);
    return { ...result, isActive: false, at: given.end, isSplit: true };
  }
  return { ...result, isRefused: booking.isRefused };
};

interface ServeOptions {
  readonly save?: boolean | undefined;
  readonly isCommanded?: boolean;
  readonly split?: BookedSplit;
}

/** Reads the commands to the deployment of an account. */
const readHolds = async (
  { store }: EngineRuntime,
  { deployment_id }: Sub,
): Promise<readonly RecordedHold[]> => (await findInputs(store, deployment_id)).holds;

/**
 * Advances a paper account through bars, and books what it did. Safe to repeat, and for several workers at once: the
 * account's own cursor tells which bars it has seen.
 *
 * @param options.save whether to store the account even if it only moved on.
 * @param options.isCommanded whether to apply commands even if there is no bar to advance through.
 * @param options.split split after the last bar, at which the account is restated; for accounts on paper.
 * @returns whether the account holds a trade or an order afterwards.
 */
export const serveAccount = async (
  engine: EngineRuntime,
  span: Span,
  found: AccountSub,
  { save = false, isCommanded = false, split }: ServeOptions = {},
): Promise<boolean> => {
  if (found.is_live) {
    if (found.at >= span.end && !found.booking) return found.kind === 'A';
    return (await serveLive(engine, span, found, { save })).isActive;
  }
  let sub = found;
  let entries = true;
  let isLimited = false;
  let isRefused = false;
  let holds: readonly RecordedHold[] = isCommanded ? await readHolds(engine, found) : [];
  for (let tries = 1; ; tries++) {
    if (sub.error !== undefined) return sub.kind === 'A' && !(await settleFailed(engine, sub));
    const isDue = isCommanded || isRefused || (split !== undefined && sub.split_at !== split.at);
    if (sub.at > span.end || (sub.at === span.end && !isDue)) return sub.kind === 'A';
    try {
      const isWatched = isLimited || sub.watched !== undefined;
      const done = await attempt(engine, span, sub, { entries, save, holds, isLimited: isWatched, split });
      // A split that was begun leaves the commands after it.
      const isAll = sub.booking?.split ? !isCommanded : done.isSplit || !split;
      if (done.at >= span.end && !done.isRefused && isAll) return done.isActive;
      isRefused = done.isRefused;
      tries = 0;
    } catch (error) {
      if (isPermanent(error)) {
        const failing = await readSub(engine.store, sub.program_id, sub.deployment_id);
        return !(await failDeployment(engine, failing ?? sub, span.end, error));
      }
      if (!isStale(error) || tries === MAX_ATTEMPTS) throw error;
      if (error instanceof OutdatedAccountError) {
        entries = error.entries;
        isLimited ||= error.isLimited;
      }
    }
    const next = await readSub(engine.store, sub.program_id, sub.deployment_id);
    if (!next || next.kind === 'N') return false;
    // Another worker that takes the account through its bars may be faster at each of them.
    if (next.at > sub.at) tries = 0;
    sub = next;
    holds = await readHolds(engine, sub);
  }
};
