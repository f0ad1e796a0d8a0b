import { isExposed, summaryOf } from '../data/books/summary.ts';
import { livesInBars, type TradingDeployment } from '../data/deployments/deployments.ts';
import { isFinalDeploymentStatus } from '../domain/deployments/deployment-states.ts';
import { dueRollovers } from '../domain/ledger/ledger-rollovers.ts';
import { daysOf, type Ledger } from '../domain/ledger/ledger-state.ts';
import { addDays, type Day, dayOf as utcDayOf } from '../domain/periods.ts';

/** Returns the time at which a deployment stopped: of its last bar, if the hub ran it. */
const stopOf = (deployment: TradingDeployment, stoppedAt: string): number =>
  Date.parse(livesInBars(deployment) ? deployment.updated_at : stoppedAt);

/** Returns when a deployment stopped and its last entry was booked; undefined while something is open. */
const endOf = (deployment: TradingDeployment, ledger: Ledger): number | undefined =>
  isFinalDeploymentStatus(deployment.status) &&
  deployment.stopped_at !== undefined &&
  !isExposed(summaryOf(deployment, ledger))
    ? Math.max(stopOf(deployment, deployment.stopped_at), ledger.head.at)
    : undefined;

/**
 * Returns whether the books of a deployment are final: it has ended, holds nothing, its last day is closed, and no
 * rollover is left to charge.
 */
export const isSettled = (deployment: TradingDeployment, ledger: Ledger, through: Day): boolean => {
  const end = endOf(deployment, ledger);
  if (end === undefined || daysOf(ledger).dayOf(end) > through) return false;
  return ledger.rollovers === undefined || dueRollovers(ledger, utcDayOf(end)).length === 0;
};

/** Returns the market time of a deployment that the hub runs: of its last entry, its newest price or its last closed day. */
export const marketTimeOf = (ledger: Ledger): number => {
  const { started_at, head, quotes, closed_through: closed } = ledger;
  return Math.max(
    started_at,
    head.at,
    closed === null ? 0 : daysOf(ledger).startOf(addDays(closed, 1)),
    ...Object.values(quotes).flatMap((known) => known.at(-1)?.[0] ?? []),
  );
};

/** Returns the end of a deployment's figures: now, in the time of its bars if the hub runs it, or its own end. */
export const figuresEnd = (deployment: TradingDeployment, ledger: Ledger, now: Date): string => {
  const current = livesInBars(deployment) ? marketTimeOf(ledger) : now;
  return new Date(endOf(deployment, ledger) ?? current).toISOString();
};
