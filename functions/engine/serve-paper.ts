import type { Recalled } from '../../shared/data/books/book-memory.ts';
import { unpackLedger } from '../../shared/data/books/packed-ledger.ts';
import type { Deployment } from '../../shared/data/deployments/deployments.ts';
import { findInputs, movedInputWrite } from '../../shared/data/engine/inputs.ts';
import { type AccountSub, storeUnheldSub } from '../../shared/data/engine/subscriptions.ts';
import { usedBarsWrite } from '../../shared/data/engine/used-bars.ts';
import type { Ledger } from '../../shared/domain/ledger/ledger-state.ts';
import { marketDaysDue } from '../../shared/domain/ledger/market-days.ts';
import type { Marks } from '../../shared/domain/risk/equity.ts';
import type { Effect } from '../../shared/lifecycle/effect.ts';
import type { Span } from '../../shared/lifecycle/engine-accounts/advance-account.ts';
import {
  type Advanced,
  advancePaperAccount,
} from '../../shared/lifecycle/engine-accounts/advance-paper-account.ts';
import {
  accountTakesEntries,
  isAbandoned,
  isOver,
} from '../../shared/lifecycle/engine-accounts/takes-entries.ts';
import { extraReadsOf } from '../../shared/lifecycle/reports/apply-to-books.ts';
import { decideBooksReport } from '../../shared/lifecycle/reports/decide-books-report.ts';
import { bookParts, DaysDueError, type Part } from './book-parts.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { GONE, type ServeOptions, type Source } from './fill-source.ts';
import { dropSub, leaveProgram } from './leave-program.ts';
import { beginDay, countBooked, limitBar, readWatched } from './limit-account.ts';
import { OutdatedError } from './passing-errors.ts';
import { reportOfAccount } from './report-event.ts';
import { advanceWithSmaller } from './smaller-bars.ts';
import { type BookedSplit, splitEffect } from './split/book-split.ts';
import { splitAccount } from './split/split-account.ts';

/** The deployment takes entries no longer, or again, or has another command. */
class OutdatedAccountError extends OutdatedError {
  readonly entries: boolean;
  /** True if risk limits apply that the account was not watched by. */
  readonly isLimited: boolean;
  constructor(entries: boolean, { isLimited = false } = {}) {
    super('the deployment of an account has changed');
    this.name = 'OutdatedAccountError';
    this.entries = entries;
    this.isLimited = isLimited;
  }
}

interface Booking {
  readonly advanced: Advanced;
  readonly entries: boolean;
  /** Prices of other symbols, if the account is watched by risk limits. */
  readonly watched: Marks | undefined;
  /** Set if the reports restate the account. */
  readonly split: BookedSplit | undefined;
  /** Set if an entry was refused, which the account has to cancel. */
  isRefused: boolean;
  /** Set if the deployment has ended, and the account has applied its last command. */
  isEnding: boolean;
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
  return splitEffect(engine, booked, { deployment, ledger }, symbol, split);
};

/** @throws OutdatedAccountError if the account was advanced by other facts. A booking that has begun goes on. */
const requireKnown = (
  found: Deployment,
  { booking }: AccountSub,
  { advanced, entries, watched }: Booking,
) => {
  if (!booking) {
    // Commands after the beginning take effect after it.
    if ((found.last_hold ?? 0) > advanced.holds) throw new OutdatedAccountError(entries);
    if (accountTakesEntries(found) !== entries) throw new OutdatedAccountError(!entries);
  }
  const isLimited = found.kind === 'live' && found.limits !== undefined;
  if (isLimited && !watched) throw new OutdatedAccountError(entries, { isLimited: true });
};

/** Decides a report of an account. @throws DaysDueError */
const decideReport = async (
  engine: EngineRuntime,
  booking: Booking,
  { index, isLast, sub, found, now, items, recalled, isClosed }: Part,
): Promise<Effect | 'ended' | undefined> => {
  if (!found || isAbandoned(found)) return 'ended';
  requireKnown(found, sub, booking);
  const { advanced, watched, split } = booking;
  const { used } = advanced;
  const { ledger } = ledgerOf(found, recalled);
  const report = advanced.reports[index];
  if (report && ledger && !isClosed && marketDaysDue(ledger, report.at) !== undefined) {
    throw new DaysDueError(report.at);
  }
  const deployment = watched && ledger ? beginDay(found, ledger, sub, advanced, watched) : found;
  const decided =
    report &&
    (await decideBooksReport(engine, deployment, reportOfAccount(sub.deployment_id, report), {
      now,
      items,
      recalled,
      instruments: engine.memory.instruments,
      closes: report.kind === 'order' ? report.closes : undefined,
      facts: report.facts,
    }));
  const effect = decided && countBooked(decided, report);
  const at = new Date(report?.at ?? (split ? split.at - 1 : advanced.after.at));
  if (!isLast) return effect && { ...effect, at };
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
  booking.isEnding = isOver(found) && advanced.held >= (found.last_hold ?? 0);
  return limited.effect;
};

/** Books the reports of an account. Returns whether its deployment goes on. */
const book = async (engine: EngineRuntime, sub: AccountSub, booking: Booking): Promise<boolean> => {
  const { advanced, entries, split } = booking;
  const { reports, used, after } = advanced;
  const left = await bookParts(engine, sub, {
    count: reports.length,
    begun: {
      ...sub,
      kind: 'A',
      booking: { end: after.at, entries, ...(split && { split }) },
      ...(used && { used }),
    },
    memory: engine.memory.books,
    readsOf: (index) => {
      const report = reports[index];
      return report ? extraReadsOf(reportOfAccount(sub.deployment_id, report)) : [];
    },
    decide: (part) => decideReport(engine, booking, part),
  });
  if (left) await dropSub(engine, left);
  else if (booking.isEnding) await leaveProgram(engine.store, sub.program_id, sub.deployment_id);
  return !left;
};

/** Bars fill the orders of an account on paper. It follows the commands to its deployment, each after its bar. */
export const paperSource = (
  engine: EngineRuntime,
  given: Span,
  { save, isCommanded = false, split: declared }: ServeOptions,
): Source => {
  const known = { entries: true, isLimited: false, isRefused: false, readsHolds: isCommanded };
  return {
    passes: (sub) => {
      const isDue =
        isCommanded || known.isRefused || (declared !== undefined && sub.split_at !== declared.at);
      if (sub.at < given.end || (sub.at === given.end && isDue)) return undefined;
      return { isActive: sub.kind === 'A', isDone: true };
    },
    attempt: async (sub) => {
      const { deployment_id, booking: begun } = sub;
      const recorded = known.readsHolds
        ? (await findInputs(engine.store, deployment_id, sub.seen_inputs)).commands
        : [];
      known.readsHolds = true;
      // Goes on with what was begun.
      const { entries, end } = { entries: known.entries, end: given.end, ...begun };
      if (end > given.end) throw new OutdatedAccountError(entries);
      const isWatched = known.isLimited || sub.watched !== undefined;
      const watched = isWatched ? await readWatched(engine, sub, given.calendar) : undefined;
      // Commands come after the split that was begun.
      const holds = begun?.split ? [] : recorded;
      const moved = await advanceWithSmaller(engine, given, sub, (smallerOf) =>
        advancePaperAccount({ ...given, end, smallerOf }, sub, entries, holds, watched?.watch),
      );
      // Bars, inputs and commands before the split are booked first.
      const split = moved.changed ? undefined : begun ? begun.split : declared;
      const advanced = split ? splitAccount(given.running, moved, split) : moved;
      const { after, changed, isNoted } = advanced;
      const marks = watched?.marks;
      const booking: Booking = {
        advanced,
        entries,
        watched: marks,
        split,
        isRefused: false,
        isEnding: false,
      };
      if (changed) {
        if (!(await book(engine, sub, booking))) return GONE;
      } else if (save || !entries || isNoted) {
        // An entry that a paused deployment left out must not be made up for when it goes on.
        await storeUnheldSub(engine.store, sub, after, advanced.holds);
      }
      known.isRefused = booking.isRefused;
      // A split that was begun leaves the commands after it.
      const isAll = begun?.split ? !isCommanded : split !== undefined || !declared;
      if (after.at < given.end || known.isRefused || !isAll) return undefined;
      return { isActive: after.kind === 'A', isDone: true };
    },
    learn: (error) => {
      if (!(error instanceof OutdatedAccountError)) return false;
      known.entries = error.entries;
      known.isLimited ||= error.isLimited;
      return false;
    },
    failsAt: () => given.end,
  };
};
