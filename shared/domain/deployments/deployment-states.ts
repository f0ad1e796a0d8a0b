import * as z from 'zod';
import { openEnum } from '../open-enum.ts';

/** Names of those who command a deployment: its owner, its broker, an operator, or a limit or switch that they set before. */
export const ACTORS = ['user', 'broker', 'operator', 'risk_limit', 'kill_switch', 'engine'] as const;
export type Actor = (typeof ACTORS)[number];

export const DEPLOYMENT_STATUSES = [
  'requested',
  'active',
  'paused',
  'halted',
  'stopped',
  'expired',
  'error',
] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

export const DEPLOYMENT_PHASES = ['waiting', 'entered', 'exited'] as const;
export type DeploymentPhase = (typeof DEPLOYMENT_PHASES)[number];

export const STOP_REASONS = [
  'completed',
  'user',
  'expired',
  'order_rejected',
  'risk_limit',
  'kill_switch',
  'broker_disconnected',
  'position_missing',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** Transition table of a deployment's status; the only judge. */
const NEXT: Readonly<Record<DeploymentStatus, readonly DeploymentStatus[]>> = {
  requested: ['active', 'halted', 'stopped', 'expired', 'error'],
  active: ['paused', 'halted', 'stopped', 'expired', 'error'],
  paused: ['active', 'halted', 'stopped', 'expired', 'error'],
  halted: ['requested', 'active', 'stopped', 'expired', 'error'],
  error: ['active', 'halted', 'stopped', 'expired'],
  stopped: [],
  expired: [],
};

const NEXT_PHASES: Readonly<Record<DeploymentPhase, readonly DeploymentPhase[]>> = {
  waiting: ['entered'],
  entered: ['exited'],
  exited: ['entered'],
};

/** Returns whether a status may follow another. */
export const canMove = (from: DeploymentStatus, to: DeploymentStatus): boolean => NEXT[from].includes(to);

/** Returns whether a phase may follow another. */
export const canMovePhase = (from: DeploymentPhase, to: DeploymentPhase): boolean =>
  NEXT_PHASES[from].includes(to);

/** Returns whether a status is final: a deployment never leaves it. */
export const isFinalDeploymentStatus = (status: DeploymentStatus): boolean => NEXT[status].length === 0;

/** Schema of a deployment's stored status. */
export const deploymentStateSchema = z.object({
  status: openEnum(DEPLOYMENT_STATUSES, 'halted'),
  /** Time of the status, by the clock of its reporter, in milliseconds. */
  status_at: z.number(),
  stop_reason: openEnum(STOP_REASONS, null).nullable(),
});

export type DeploymentState = z.output<typeof deploymentStateSchema>;

/** Returns the state of a deployment that was just requested. */
export const requestedDeployment = (at: number): DeploymentState => ({
  status: 'requested',
  status_at: at,
  stop_reason: null,
});

/** Applies a status that was commanded, for example by the user; undefined if the table forbids it. */
export const moveDeployment = (
  state: DeploymentState,
  change: DeploymentState,
): DeploymentState | undefined => (canMove(state.status, change.status) ? change : undefined);

const later = (left: DeploymentState, right: DeploymentState): DeploymentState => {
  if (left.status_at !== right.status_at) return left.status_at > right.status_at ? left : right;
  const [leftRank, rightRank] = [left, right].map(({ status, stop_reason }) => `${status} ${stop_reason}`);
  return (leftRank ?? '') >= (rightRank ?? '') ? left : right;
};

/**
 * Applies a status that an engine reported. Reports may arrive late and repeatedly. In any order of arrival a final
 * status prevails, the earlier of two final ones, otherwise the latest. A forbidden status changes nothing.
 */
export const reportDeployment = (state: DeploymentState, report: DeploymentState): DeploymentState => {
  // Requester and reporter have different clocks, so a request counts as older than any report.
  if (state.status === 'requested') return canMove(state.status, report.status) ? report : state;
  const final = isFinalDeploymentStatus(state.status);
  if (final !== isFinalDeploymentStatus(report.status)) return final ? state : report;
  const [latest, other] = later(state, report) === state ? [state, report] : [report, state];
  if (final) return other;
  const isLegal = report.status === state.status || canMove(state.status, report.status);
  return latest === report && isLegal ? report : state;
};
