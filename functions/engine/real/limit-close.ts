import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { findLastPrices } from '../../../shared/data/candles/last-prices.ts';
import type { TradingDeployment } from '../../../shared/data/deployments/deployments.ts';
import type { AccountSub } from '../../../shared/data/engine/subscriptions.ts';
import { firstBarFrom } from '../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { closeTimeOf } from '../../../shared/domain/candles/close-time.ts';
import { openPositions } from '../../../shared/domain/ledger/account.ts';
import type { Ledger } from '../../../shared/domain/ledger/ledger-state.ts';
import { fromDouble } from '../../../shared/domain/money.ts';
import type { Marks } from '../../../shared/domain/risk/equity.ts';
import { limitsLoss } from '../../../shared/domain/risk/limits.ts';
import { changeDeployment } from '../../../shared/lifecycle/deployment-change.ts';
import type { Span } from '../../../shared/lifecycle/engine-accounts/advance-account.ts';
import { movesTotals } from '../../../shared/lifecycle/overall-risk.ts';
import { checkReport } from '../../../shared/lifecycle/risk-checks/check-report.ts';
import { concernsLimits, withDay } from '../../../shared/lifecycle/risk-checks/judge-losses.ts';
import type { EngineRuntime } from '../engine-runtime.ts';

/** Close of a bar, and of the one before. */
interface Closes {
  readonly start: number;
  readonly close: number;
  /** Not a number if the bar before is unknown. */
  readonly closeBefore: number;
}

/** Returns the closes of the last bar of a span that an account has not seen; undefined without one. */
const newestClose = ({ frames, end }: Span, { at: seen }: AccountSub): Closes | undefined => {
  for (const { bars, before } of frames.toReversed()) {
    const position = firstBarFrom(bars, end + 1) - 1;
    const start = bars.start[position];
    const close = bars.close[position];
    if (start === undefined || close === undefined) continue;
    if (start <= seen) return undefined;
    return { start, close, closeBefore: bars.close[position - 1] ?? before.close };
  }
  return undefined;
};

const marked = (others: Marks, symbol: string, at: number, close: number): Marks =>
  Number.isFinite(close) ? new Map([...others, [symbol, { at, price: fromDouble(close) }]]) : others;

/**
 * Checks the losses of a deployment with real orders at the close of a bar, with open positions at their newest prices. A
 * limit that is reached pauses or flattens it before its account works on the bar. Costs nothing without limits of
 * losses or open positions, no call for a deployment of one symbol, and a write only if a limit is concerned.
 *
 * @returns whether the deployment has changed.
 */
export const limitClose = async (
  engine: EngineRuntime,
  found: TradingDeployment,
  sub: AccountSub,
  span: Span,
): Promise<boolean> => {
  const { limits } = found;
  if (!limits || !(limitsLoss(limits.merged) || limits.all?.daily_loss !== undefined)) return false;
  const newest = newestClose(span, sub);
  const known = unpackLedger(found.ledger);
  const held = openPositions(known.head).map(([symbol]) => symbol);
  if (!newest || held.length === 0) return false;
  const { symbol } = sub;
  const now = engine.clock();
  const elsewhere = held.filter((other) => other !== symbol);
  const others: Marks = await findLastPrices(engine.store, elsewhere, now);
  const closed = closeTimeOf(calendarById(span.calendar), found.timeframe, newest.start);
  const marks = marked(others, symbol, Math.min(closed, now.getTime()), newest.close);
  const before = marked(others, symbol, newest.start, newest.closeBefore);
  // A bar that closes at midnight belongs to the day that ends.
  const at = Math.min(closed - 1, now.getTime());
  const begun = (deployment: TradingDeployment, ledger: Ledger) => withDay(deployment, ledger, at, before);
  const isFirst = begun(found, known) !== found;
  const overallMarks = { now: marks, before };
  const isCounted = movesTotals(found, known, overallMarks, now);
  if (!isFirst && !isCounted && !concernsLimits(found, known, at, marks)) return false;
  const changed = await changeDeployment(engine, sub.deployment_id, (current) => {
    if (current?.kind !== 'live') return undefined;
    const ledger = unpackLedger(current.ledger);
    const deployment = begun(current, ledger);
    const effect = { deployment, ledger, notifications: [] };
    const checked = checkReport(effect, { ledger, order: undefined, at, marks }, now);
    if (checked.deployment === current && !isCounted) return undefined;
    return isCounted ? { ...checked, overallMarks } : checked;
  });
  return changed !== undefined;
};
