import type { UpdateEvent } from '../update-events.ts';

/** Tells whether an event changes a deployment. */
export const changesDeployments = ({ type }: Pick<UpdateEvent, 'type'>): boolean =>
  /^(deployment|order|trade|trades|risk)\./.test(type);

/** Tells whether an event changes one of some deployments, or begins another that may belong to them. */
export const changesAny = (
  ids: readonly number[],
  { type, deployment_id: id }: Pick<UpdateEvent, 'type' | 'deployment_id'>,
): boolean =>
  type === 'deployment.requested' ||
  type === 'deployment.started' ||
  (id !== undefined && ids.includes(id) && changesDeployments({ type }));
