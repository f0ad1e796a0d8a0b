import type { DeploymentStatus } from '../deployments/deployment-states.ts';
import { isPlacing, type OrderRequest, POSITION_CLOSE_REQUESTED } from './order-request-schema.ts';

/** All that decides whether a request may leave, read right before it does. */
interface Admission {
  /** Status of the deployment; undefined if there is no such deployment. */
  readonly status: DeploymentStatus | undefined;
  /** Reason of a kill switch that covers the deployment. */
  readonly thrown: string | undefined;
  /** Reason of a limit over all deployments of the user that has stopped entries. */
  readonly tripped?: string | undefined;
  readonly now: Date;
}

/** Statuses in which the rules may end a trade. */
const EXITS: ReadonlySet<DeploymentStatus> = new Set(['active', 'paused']);

/**
 * Returns why a request must not leave; undefined if it may. Cancels, levels of open trades, and closes that a person or
 * a limit asks for, always leave: they only reduce what is at risk.
 */
export const refusalOf = (
  request: OrderRequest,
  { status, thrown, tripped, now }: Admission,
): string | undefined => {
  if (!isPlacing(request)) return undefined;
  const isClose = request.type === POSITION_CLOSE_REQUESTED;
  if (isClose && request.detail.flatten) return undefined;
  if (status === undefined) return 'the deployment is unknown';
  if (thrown !== undefined) return `the kill switch is thrown: ${thrown}`;
  if (tripped !== undefined && !isClose) return tripped;
  const isAllowed = isClose ? EXITS.has(status) : status === 'active';
  if (!isAllowed) return `the deployment is ${status}`;
  return now.getTime() > Date.parse(request.detail.valid_until) ? 'the order is too old' : undefined;
};
