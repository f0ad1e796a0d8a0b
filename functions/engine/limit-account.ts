import { unpackLedger } from '../../shared/data/books/packed-ledger.ts';
import { findLastPrices } from '../../shared/data/candles/last-prices.ts';
import {
  asDeployment,
  type Deployment,
  type TradingDeployment,
} from '../../shared/data/deployments/deployments.ts';
import { commandWrite, refusalWrite } from '../../shared/data/engine/inputs.ts';
import { asDeploymentSetup } from '../../shared/data/engine/setups.ts';
import { type AccountSub, readSub, subGuard, subWrites } from '../../shared/data/engine/subscriptions.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { closeTimeOf } from '../../shared/domain/candles/close-time.ts';
import { isEntryId } from '../../shared/domain/engine/running/entry-orders.ts';
import type { AccountReport } from '../../shared/domain/engine/running/order-report.ts';
import { openPositions } from '../../shared/domain/ledger/account.ts';
import type { Ledger } from '../../shared/domain/ledger/ledger-state.ts';
import { fromDouble } from '../../shared/domain/money.ts';
import type { Marks } from '../../shared/domain/risk/equity.ts';
import { limitsLoss } from '../../shared/domain/risk/limits.ts';
import type { Effect } from '../../shared/lifecycle/effect.ts';
import type { Advanced, Watch } from '../../shared/lifecycle/engine-accounts/advance-paper-account.ts';
import { checkBar } from '../../shared/lifecycle/risk-checks/check-bar.ts';
import { countReport } from '../../shared/lifecycle/risk-checks/check-report.ts';
import { concernsLimits, withDay } from '../../shared/lifecycle/risk-checks/judge-losses.ts';
import type { EngineRuntime } from './engine-runtime.ts';

/** Books of a deployment under limits. */
interface Books {
  readonly deployment: TradingDeployment;
  readonly ledger: Ledger;
}

const readBooks = async (
  { store, memory }: EngineRuntime,
  { deployment_id: id, watched }: AccountSub,
): Promise<Books | undefined> => {
  const recalled = memory.books.recall(id);
  // Other limits than those that the account knows: the cached deployment may be older.
  if (recalled && recalled.deployment.limits?.rev === watched) return recalled;
  const [item] = await store.getMany([keys.deployment(id)], { consistent: true });
  const deployment = asDeployment(item);
  if (deployment?.kind !== 'live') return undefined;
  return { deployment, ledger: unpackLedger(deployment.ledger) };
};

/** An account as risk limits watch it. */
interface Watched {
  readonly watch: Watch;
  /** Newest prices of the other symbols that the deployment holds. */
  readonly marks: Marks;
}

const NO_MARKS: Marks = new Map();
const never = (): boolean => false;

/** Adds the close of a bar of an account. Prices up to a split count as of old units. */
const withMark = (
  marks: Marks,
  { symbol, split_at = Number.NEGATIVE_INFINITY }: AccountSub,
  at: number,
  close: number,
): Marks => new Map([...marks, [symbol, { at: Math.max(at, split_at + 1), price: fromDouble(close) }]]);

/**
 * Reads the books that an account is watched by, and the prices of the other symbols that the deployment holds. Costs no
 * call if there are no limits of losses, or nothing is open, or the books are cached and hold one symbol.
 *
 * @param calendarId calendar of the account's bars.
 */
export const readWatched = async (
  engine: EngineRuntime,
  sub: AccountSub,
  calendarId: string,
): Promise<Watched> => {
  const { symbol, booking } = sub;
  if (sub.kind === 'F') return { watch: never, marks: NO_MARKS };
  const books = await readBooks(engine, sub);
  const { limits } = books?.deployment ?? {};
  if (!books || !limits || !limitsLoss(limits.merged)) return { watch: never, marks: NO_MARKS };
  const { deployment, ledger } = books;
  const others = openPositions(ledger.head).flatMap(([name]) => (name === symbol ? [] : [name]));
  const marks = others.length > 0 ? await findLastPrices(engine.store, others, engine.clock()) : NO_MARKS;
  // A booking that has begun goes on as it was; its last bar is judged then.
  if (booking) return { watch: never, marks };
  const calendar = calendarById(calendarId);
  const closeOf = (start: number): number => closeTimeOf(calendar, deployment.timeframe, start);
  return {
    marks,
    watch: (at, close) =>
      concernsLimits(deployment, ledger, at, withMark(marksUntil(marks, closeOf(at)), sub, at, close)),
  };
};

/** Leaves out prices of bars that close later: in a catch-up they are of the future. */
const marksUntil = (marks: Marks, until: number): Marks =>
  marks.size === 0 ? marks : new Map([...marks].filter(([, { at }]) => at <= until));

const OPEN: ReadonlySet<string> = new Set(['open']);

/** Counts a booked report of an account against the limits of its deployment. */
export const countBooked = (effect: Effect, report: AccountReport): Effect => {
  const { deployment, entries } = effect;
  if (report.kind !== 'order' || deployment.kind !== 'live') return effect;
  const counted = countReport(deployment, {
    client_order_id: report.client_order_id,
    at: report.at,
    isEntry: isEntryId(report.client_order_id),
    isNew: entries?.new_order !== undefined,
    isFinal: !OPEN.has(report.status),
  });
  return counted === deployment ? effect : { ...effect, deployment: counted };
};

/**
 * Reads the accounts of the other symbols of a deployment. A command of a limit takes effect after the same bar there, or
 * after the last one that the account has worked on.
 */
const readOthers = async (
  store: Store,
  { deployment_id: id, symbols }: TradingDeployment,
  own: string,
): Promise<AccountSub[]> => {
  if (symbols.length < 2) return [];
  const [item] = await store.getMany([keys.deploymentSetup(id)], { consistent: true });
  const setup = asDeploymentSetup(item);
  const subs = await Promise.all(
    (setup?.program_ids ?? []).map((programId) => readSub(store, programId, id)),
  );
  return subs.flatMap((sub) => (sub && sub.kind !== 'N' && sub.symbol !== own ? [sub] : []));
};

/** Begins the day of a bar, at the equity before the bar. @param ledger before the bar. */
export const beginDay = <D extends Deployment>(
  deployment: D,
  ledger: Ledger,
  sub: AccountSub,
  { after, closeBefore }: Advanced,
  marks: Marks,
): D => {
  const known = Number.isFinite(closeBefore) ? withMark(marks, sub, after.at - 1, closeBefore) : marks;
  return withDay(deployment, ledger, after.at, known);
};

/** Last booking of an account: its bar, and what it knows. */
interface LastBooking {
  readonly sub: AccountSub;
  readonly advanced: Advanced;
  /** Prices of other symbols; undefined without limits. */
  readonly marks: Marks | undefined;
  readonly now: Date;
}

/**
 * Adds the write of an account to the effect of its last booking, and checks its last bar against the limits of its
 * deployment. Refusals and commands are recorded in the same transaction, so that no entry fills beyond a limit.
 */
export const limitBar = async (
  { store }: EngineRuntime,
  effect: Effect,
  { sub, advanced, marks, now }: LastBooking,
): Promise<{ readonly effect: Effect; readonly isRefused: boolean }> => {
  const { deployment_id: id, symbol } = sub;
  const { placed, close, after } = advanced;
  const { deployment, ledger, writes = [] } = effect;
  const limits = deployment.kind === 'live' ? deployment.limits : undefined;
  if (!limits || !marks || !ledger || deployment.kind !== 'live') {
    const { watched: _, ...unwatched } = after;
    return { effect: { ...effect, writes: [...writes, ...subWrites(sub, unwatched)] }, isRefused: false };
  }
  const bar = { symbol, at: after.at, placed, marks: withMark(marks, sub, after.at, close) };
  const { effect: checked, refused, hold } = checkBar(effect, ledger, bar, now);
  const { version: number } = deployment;
  // The command cancels all orders that wait, also the refused ones.
  const refusals = hold ? [] : refused.map((each) => ({ ...each, number, after: after.at }));
  const watching: AccountSub = {
    ...after,
    watched: limits.rev,
    ...(refusals.length > 0 && { refused: [...(after.refused ?? []), ...refusals] }),
  };
  const others = hold ? await readOthers(store, deployment, symbol) : [];
  const afters = Object.fromEntries(others.map((other) => [other.symbol, Math.max(after.at, other.at)]));
  const limited: Effect = {
    ...checked,
    deployment: hold ? { ...checked.deployment, last_hold: number } : checked.deployment,
    writes: [
      ...writes,
      ...subWrites(sub, watching),
      ...refusals.map((refusal) => refusalWrite(id, symbol, refusal)),
      ...(hold ? [commandWrite(id, { ...hold, number, afters: { ...afters, [symbol]: after.at } })] : []),
      ...others.map(subGuard),
    ],
  };
  return { effect: limited, isRefused: refusals.length > 0 };
};
