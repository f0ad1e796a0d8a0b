import { type Deployment, hasRealOrders, isHubRun } from '../../data/deployments/deployments.ts';
import { domainEvent } from '../../data/deployments/domain-events.ts';
import { ENGINE_ACCOUNTS_DUE, ENGINE_COMMANDED, engineEvent } from '../../data/engine/events.ts';
import type { Message } from '../../data/outbox/messages.ts';
import type { Command } from './command.ts';

/** Returns the messages that tell the engine of a deployment of a command. */
export const engineMessages = (
  detailType: Parameters<typeof domainEvent>[0],
  deployment: Deployment,
  { by, reason }: Command,
  now: Date,
  more: Readonly<Record<string, unknown>> = {},
): Message[] => {
  const { deployment_id, kind } = deployment;
  // Orders at a broker must not wait for the next bar.
  if (hasRealOrders(deployment)) return [engineEvent(ENGINE_ACCOUNTS_DUE, deployment_id)];
  if (!isHubRun(deployment)) return [domainEvent(detailType, deployment, now, { by, reason, ...more })];
  return kind === 'live' ? [engineEvent(ENGINE_COMMANDED, deployment_id)] : [];
};
