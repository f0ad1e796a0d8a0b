import type { Message } from '../outbox/messages.ts';

/** Types of the events that let the hub's engine take up a deployment or drop it. */
export const ENGINE_REQUESTED = 'Engine Deployment Requested';
export const ENGINE_ENDED = 'Engine Deployment Ended';
/** Type of the event that lets the accounts of a deployment follow a command. */
export const ENGINE_COMMANDED = 'Engine Deployment Commanded';

/** Type of the event that lets the engine serve the accounts of a deployment with real orders before their next bar. */
export const ENGINE_ACCOUNTS_DUE = 'Engine Accounts Due';

/** Builds the message for the hub's engine that there is something to do for a deployment. */
export const engineEvent = (
  detailType:
    | typeof ENGINE_REQUESTED
    | typeof ENGINE_COMMANDED
    | typeof ENGINE_ENDED
    | typeof ENGINE_ACCOUNTS_DUE,
  deploymentId: number,
): Message => ({
  kind: 'domain_event',
  detail_type: detailType,
  detail: { version: 1, deployment_id: deploymentId },
});

/** Type of the event that lets a worker advance programs of a series. */
export const SERIES_DUE = 'Engine Series Due';

/** Type of the event that lets the scanners of a feed run: the hub has sent all its bars that closed by a moment. */
export const SCANNERS_DUE = 'Engine Scanners Due';

/** Type of the event that lets a worker make sure that all programs of a series are done. */
export const SERIES_UNSETTLED = 'Engine Series Unsettled';
