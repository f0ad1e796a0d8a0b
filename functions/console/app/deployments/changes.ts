import type { LiveEvent } from '../live-events.ts';

/** Tells whether an event changes a deployment. */
export const changesDeployments = ({ type }: Pick<LiveEvent, 'type'>): boolean =>
  /^(deployment|order|trade|trades|risk)\./.test(type);

/** Tells whether an event changes one of some deployments, or begins another that may belong to them. */
export const changesAny = (
  ids: readonly number[],
  { type, deployment_id: id }: Pick<LiveEvent, 'type' | 'deployment_id'>,
): boolean =>
  type === 'deployment.requested' ||
  type === 'deployment.started' ||
  (id !== undefined && ids.includes(id) && changesDeployments({ type }));
