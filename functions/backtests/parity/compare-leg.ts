import type { StoredOrder } from '../../../shared/data/books/orders.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import type { StoredTrade } from '../../../shared/data/books/trades.ts';
import type { TradingDeployment } from '../../../shared/data/deployments/deployments.ts';
import type { StoredProgram } from '../../../shared/data/engine/states.ts';
import type { AccountSub, Sub } from '../../../shared/data/engine/subscriptions.ts';
import { firstBarFrom } from '../../../shared/domain/candles/bars.ts';
import { isFinalDeploymentStatus } from '../../../shared/domain/deployments/deployment-states.ts';
import {
  type BookOrder,
  compareAccounts,
  compareOrders,
  compareRoundTrips,
  type Difference,
} from '../../../shared/domain/engine/parity/compare.ts';
import {
  type LastInputs,
  type Rehearsal,
  type RehearsalRun,
  rehearseTo,
  startRehearsal,
} from '../../../shared/domain/engine/parity/rehearse.ts';
import { roundTripsOf } from '../../../shared/domain/engine/parity/round-trips.ts';
import type { AccountReport } from '../../../shared/domain/engine/running/order-report.ts';
import {
  type PaperAccount,
  restorePaperAccount,
} from '../../../shared/domain/engine/running/paper-account.ts';
import { daysOf } from '../../../shared/domain/ledger/ledger-state.ts';
import { fromDouble } from '../../../shared/domain/money.ts';

/** A symbol of a deployment, with what the engine and the book have stored. */
export interface StoredLeg {
  readonly deployment: TradingDeployment;
  readonly rehearsal: Rehearsal;
  readonly program: StoredProgram | undefined;
  readonly sub: Sub | undefined;
  readonly orders: readonly StoredOrder[];
  /** Closed trades, oldest first. */
  readonly trades: readonly StoredTrade[];
}

/** Comparison of a symbol. */
export interface ComparedLeg {
  readonly symbol: string;
  readonly bars: number;
  readonly orders: number;
  readonly trades: number;
  /** Starts of the first and the last bar. */
  readonly from: number;
  readonly to: number;
  readonly differences: readonly Difference[];
}

/** Returns the start of the last bar on which the engine has done all work for an account. */
const workedTo = ({ deployment, rehearsal, program, sub }: StoredLeg): number => {
  const { status, status_at, stopped_at, last_hold } = deployment;
  if (!sub || sub.kind === 'N') {
    // The command that ended the account is recorded.
    if (last_hold !== undefined) return Number.POSITIVE_INFINITY;
    // The account has ended: before the bar that was the newest one then.
    return stopped_at === undefined ? rehearsal.joinedAt : Date.parse(stopped_at) - 1;
  }
  if (sub.error !== undefined || (sub.kind === 'A' && isFinalDeploymentStatus(status))) return sub.at;
  const to = Math.max(sub.at, program?.state_at ?? sub.at);
  if (status === 'active' || status === 'requested') return to;
  // Entries stop at a moment between bars that nobody records, unless a command stops them.
  return last_hold === undefined || status === 'error' ? Math.min(to, status_at - 1) : to;
};

const lastInputs = ({ refused = [] }: AccountSub, { inputs, holds }: PaperAccount): LastInputs => ({
  inputs,
  holds,
  refusals: refused.map(({ order }) => order),
});

/** Returns the inputs that a stored account has applied; undefined if every one takes effect by itself. */
const appliedBy = (sub: Sub | undefined): LastInputs | undefined =>
  sub?.kind === 'A' && sub.paper.saved !== ''
    ? lastInputs(sub, restorePaperAccount(sub.paper.settings, sub.paper.saved))
    : undefined;

/** Compares the engine's account with the backtest after the account's last bar. */
const compareStored = (run: RehearsalRun, sub: Sub | undefined, to: number): Difference[] => {
  if (!sub || sub.kind === 'N' || sub.paper.saved === '' || sub.at > to) return [];
  const stored = restorePaperAccount(sub.paper.settings, sub.paper.saved);
  rehearseTo(run, sub.at, lastInputs(sub, stored));
  return compareAccounts(run.paper, stored);
};

const bookOrder = ({ updated_at: at, average_price, ...order }: StoredOrder): BookOrder => ({
  ...order,
  at,
  average_price,
});

/** Dates reports as the books do: closes by hand at the time of the owner, nothing before the books begin. */
const inTimeOfBooks = (
  { deployment, orders }: StoredLeg,
  reports: readonly AccountReport[],
  manual: ReadonlySet<string>,
): AccountReport[] => {
  const ledger = unpackLedger(deployment.ledger);
  const days = daysOf(ledger);
  const begin = days.startOf(days.dayOf(ledger.started_at));
  const times = new Map(
    orders.flatMap(({ client_order_id: id, updated_at }) =>
      manual.has(id) ? [[id, updated_at] as const] : [],
    ),
  );
  return reports.map((report) => {
    const own = report.kind === 'order' ? times.get(report.client_order_id) : undefined;
    return { ...report, at: Math.max(own ?? report.at, begin) };
  });
};

/** Compares a symbol of a deployment with its backtest. */
export const compareLeg = (own: StoredLeg): ComparedLeg => {
  const { rehearsal, sub } = own;
  const { bars, joinedAt, leg, inputs } = rehearsal;
  const to = workedTo(own);
  const run = startRehearsal(rehearsal);
  const differences = compareStored(run, sub, to);
  // A command at the account's last bar may not be booked yet.
  rehearseTo(run, to, appliedBy(sub));
  const expected = new Map(run.orders);
  const trades =
    run.paper.account.trades.length +
    [...expected.values()].filter(({ closes }) => closes !== undefined).length;
  const manual = new Set(inputs.flatMap((input) => (input.type === 'close' ? input.client_order_id : [])));
  const tripsOf = () => roundTripsOf(inTimeOfBooks(own, run.booked, manual), fromDouble(leg.contract_size));
  const worked = tripsOf().length;
  rehearseTo(run, Number.POSITIVE_INFINITY);
  const { symbol } = leg;
  differences.push(
    ...compareOrders({ expected, ahead: run.orders, found: own.orders.map(bookOrder), to, manual }),
    ...compareRoundTrips({
      symbol,
      expected: tripsOf(),
      worked,
      found: own.trades,
      to,
      manual,
    }),
  );
  const [first, end] = [firstBarFrom(bars, joinedAt + 1), firstBarFrom(bars, to + 1)];
  return {
    symbol,
    bars: Math.max(0, end - first),
    orders: expected.size,
    trades,
    from: bars.start[first] ?? joinedAt,
    to: bars.start[end - 1] ?? joinedAt,
    differences,
  };
};
