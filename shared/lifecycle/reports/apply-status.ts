import { createHash } from 'node:crypto';
import { type Deployment, livesInBars } from '../../data/deployments/deployments.ts';
import { eventDigestWrite, isTakenEvent } from '../../data/deployments/event-digests.ts';
import type { Item } from '../../data/table/attributes.ts';
import {
  type DeploymentState,
  type DeploymentStatus,
  isFinalDeploymentStatus,
  reportDeployment,
  type StopReason,
} from '../../domain/deployments/deployment-states.ts';
import { MalformedEventError } from '../../domain/malformed-event.ts';
import type { Effect, NotificationText } from '../effect.ts';
import type { NotifiedPeriod } from './notified-period.ts';
import type { ReportOf, StatusReport } from './report.ts';
import { matchedEffect } from './scanner-matches.ts';

/** Items that were read to apply a report. */
interface Known {
  /** Digest of the report, with the item that was read for it. */
  readonly digest: string;
  readonly item: Item | undefined;
  /** Bar or day of a signal; absent if every signal notifies. */
  readonly period?: NotifiedPeriod | undefined;
  readonly now: Date;
}

/** Returns the digest of a report. A repeat has the same. */
export const digestOf = (report: StatusReport): string =>
  createHash('sha256')
    .update(JSON.stringify([report.type, report.detail]))
    .digest('base64url')
    .slice(0, 16);

const utc = (at: string): string => new Date(at).toISOString();

const isLater = (at: string, than: string | undefined): boolean =>
  than === undefined || Date.parse(at) > Date.parse(than);

/** Statuses of deployments that do not run. */
const OVER: ReadonlySet<DeploymentStatus> = new Set(['stopped', 'expired', 'error']);

/** Returns the first reported start; a start after the end does not count. */
const startedAt = (
  known: string | undefined,
  reported: string | undefined,
  { status, status_at }: DeploymentState,
): string | undefined => {
  const [first] = [known, reported].flatMap((at) => at ?? []).sort();
  const isAfterEnd = first !== undefined && isFinalDeploymentStatus(status) && Date.parse(first) > status_at;
  return isAfterEnd ? undefined : first;
};

/** Applies a reported status. The engine of a paused or halted deployment cannot make it active: only a command does. */
const stateAfter = (deployment: Deployment, report: DeploymentState): DeploymentState => {
  const state = reportDeployment(deployment, report);
  const { held } = deployment;
  if (!held || state.status !== 'active') return state;
  const { status, stop_reason } = deployment;
  return { ...state, status: held.status, stop_reason: status === held.status ? stop_reason : null };
};

/** Applies a reported status, and notifies the owner if it changes. */
const reported = (
  deployment: Deployment,
  report: { readonly status: DeploymentStatus; readonly at: string; readonly stop_reason?: StopReason },
  notification: NotificationText,
): Effect => {
  const { status, stop_reason = null } = report;
  // Nothing can happen before deploying, except in the time of bars.
  const status_at = livesInBars(deployment)
    ? Date.parse(report.at)
    : Math.max(Date.parse(report.at), Date.parse(deployment.deployed_at));
  const at = new Date(status_at).toISOString();
  const state = stateAfter(deployment, { status, status_at, stop_reason });
  const over = OVER.has(state.status);
  const changed = {
    ...deployment,
    ...state,
    ...(isFinalDeploymentStatus(state.status) && { held: undefined, stopping: undefined }),
    // Neither depends on the order of reports.
    started_at: startedAt(deployment.started_at, status === 'active' ? at : undefined, state),
    stopped_at: over ? new Date(state.status_at).toISOString() : undefined,
  };
  if (state.status === deployment.status && state.stop_reason === deployment.stop_reason) {
    return { deployment: changed, notifications: [] };
  }
  // The phase of a trading deployment follows its positions, whatever its status.
  const phase = over && deployment.kind !== 'live' ? 'exited' : deployment.phase;
  return { deployment: { ...changed, phase }, notifications: [notification] };
};

const started = (deployment: Deployment, { detail }: ReportOf<'Deployment Started'>): Effect =>
  reported(
    deployment,
    { status: 'active', at: detail.occurred_at },
    {
      kind: 'deployment_started',
      severity: 'info',
      title: `${deployment.strategy_name} is running`,
      body: 'The deployment has started.',
      data: {},
    },
  );

const stopped = (deployment: Deployment, { detail }: ReportOf<'Deployment Stopped'>): Effect => {
  const { stop_reason } = detail;
  return reported(
    deployment,
    { status: 'stopped', at: detail.occurred_at, stop_reason },
    {
      kind: stop_reason === 'broker_disconnected' ? 'broker_disconnected' : 'deployment_stopped',
      severity: stop_reason === 'completed' || stop_reason === 'user' ? 'info' : 'warning',
      title: `${deployment.strategy_name} has stopped`,
      body: `Reason: ${stop_reason.replaceAll('_', ' ')}.`,
      data: { stop_reason },
    },
  );
};

const failed = (deployment: Deployment, { detail }: ReportOf<'Deployment Error'>): Effect =>
  reported(
    deployment,
    { status: 'error', at: detail.occurred_at },
    {
      kind: 'deployment_error',
      severity: 'error',
      title: `${deployment.strategy_name} has failed`,
      body: detail.message,
      data: {},
    },
  );

const signalled = (
  deployment: Deployment,
  { detail }: ReportOf<'Signal Raised'>,
  { period, now }: Pick<Known, 'period' | 'now'>,
): Effect => {
  if (deployment.kind !== 'notification')
    throw new MalformedEventError('signals are for notification deployments');
  const { symbol, side, price = null, title, body, occurred_at } = detail;
  if (!deployment.symbols.includes(symbol))
    throw new MalformedEventError('the symbol is not one of the deployment');
  const at = utc(occurred_at);
  const notifies = period?.isTaken !== true;
  return {
    deployment: {
      ...deployment,
      signals_count: deployment.signals_count + 1,
      ...(isLater(at, deployment.last_signal?.at) && { last_signal: { side, price, at } }),
    },
    ...(period && notifies && { writes: [eventDigestWrite(deployment.deployment_id, period.digest, now)] }),
    changes: () => [{ type: 'signal.raised', data: { symbol, side, price, title, body } }],
    notifications: notifies
      ? [{ kind: `signal_${side}`, severity: 'info', symbol, title, body, data: { side, price, symbol } }]
      : [],
  };
};

const matched = (deployment: Deployment, { detail }: ReportOf<'Scanner Matched'>): Effect => {
  if (deployment.kind !== 'scanner') throw new MalformedEventError('matches are for scanner deployments');
  return matchedEffect(deployment, utc(detail.occurred_at), detail.matches);
};

const effectOf = (deployment: Deployment, report: StatusReport, known: Known): Effect => {
  switch (report.type) {
    case 'Deployment Started':
      return started(deployment, report);
    case 'Deployment Stopped':
      return stopped(deployment, report);
    case 'Deployment Error':
      return failed(deployment, report);
    case 'Signal Raised':
      return signalled(deployment, report, known);
    case 'Scanner Matched':
      return matched(deployment, report);
    default:
      return report satisfies never;
  }
};

/** Returns whether a report is a signal or a match that an engine raised while the deployment is paused or halted. */
const isHeldBack = ({ held }: Deployment, report: StatusReport): boolean =>
  held !== undefined &&
  (report.type === 'Signal Raised' || report.type === 'Scanner Matched') &&
  Date.parse(report.detail.occurred_at) >= Date.parse(held.at);

/**
 * Applies a report to a deployment; undefined for a repeat, and for signals of a paused one. A late report for an ended deployment is counted
 * but does not notify.
 *
 * @throws MalformedEventError for a report that does not fit the deployment
 */
export const applyStatusReport = (
  deployment: Deployment,
  report: StatusReport,
  known: Known,
): Effect | undefined => {
  const { digest, item, now } = known;
  if (isTakenEvent(item, now)) return undefined;
  if (isHeldBack(deployment, report)) return undefined;
  const effect = effectOf(deployment, report, known);
  const { writes = [] } = effect;
  return { ...effect, writes: [...writes, eventDigestWrite(deployment.deployment_id, digest, now)] };
};
