import type { Webhook, WebhookChangeIn, WebhookIn } from '../../../../../infra/client/package/src/index.ts';

type EventType = NonNullable<WebhookIn['events']>[number];

/** Events that a webhook can choose, by their subject. */
export const EVENTS: readonly { readonly subject: string; readonly types: readonly EventType[] }[] = [
  {
    subject: 'Deployments',
    types: [
      'deployment.requested',
      'deployment.started',
      'deployment.paused',
      'deployment.resumed',
      'deployment.halted',
      'deployment.stop_requested',
      'deployment.stopped',
      'deployment.expired',
      'deployment.failed',
    ],
  },
  {
    subject: 'Orders and trades',
    types: [
      'order.placed',
      'order.updated',
      'order.partially_filled',
      'order.filled',
      'order.cancelled',
      'order.rejected',
      'order.expired',
      'trade.closed',
      'trades.corrected',
    ],
  },
  { subject: 'Signals', types: ['signal.raised', 'scanner.matched'] },
  {
    subject: 'Risk and connections',
    types: ['risk.warning', 'risk.tripped', 'kill_switch.thrown', 'connection.lost'],
  },
  { subject: 'Backtests', types: ['backtest.done'] },
];

const TYPES: readonly EventType[] = EVENTS.flatMap(({ types }) => types);

/** Form of a webhook while it is edited. */
export interface WebhookDraft {
  readonly url: string;
  readonly description: string;
  readonly isAll: boolean;
  readonly events: readonly EventType[];
  readonly isEveryDeployment: boolean;
  readonly deployments: readonly number[];
}

/** The most deployments that a webhook can choose. */
const MAX_DEPLOYMENTS = 50;

/** Makes the form of a webhook; of a new one without one. */
export const webhookDraft = (webhook?: Webhook): WebhookDraft =>
  webhook === undefined
    ? {
        url: 'https://',
        description: '',
        isAll: true,
        events: [],
        isEveryDeployment: true,
        deployments: [],
      }
    : {
        url: webhook.url,
        description: webhook.description,
        isAll: webhook.events.length === 0,
        events: TYPES.filter((type) => webhook.events.includes(type)),
        isEveryDeployment: webhook.deployment_ids === null,
        deployments: webhook.deployment_ids ?? [],
      };

/** Returns the sentence about a choice that is not finished; undefined if the form can be sent. */
export const draftProblem = (draft: WebhookDraft): string | undefined => {
  if (!draft.isAll && draft.events.length === 0) return 'Choose an event, or all of them.';
  if (draft.isEveryDeployment) return undefined;
  if (draft.deployments.length === 0) return 'Choose a deployment, or all of them.';
  return draft.deployments.length > MAX_DEPLOYMENTS
    ? `Choose at most ${MAX_DEPLOYMENTS} deployments, or all of them.`
    : undefined;
};

/** Returns the request for a new webhook. */
export const webhookOf = (draft: WebhookDraft): Required<WebhookIn> => ({
  url: draft.url.trim(),
  description: draft.description.trim(),
  events: draft.isAll ? [] : draft.events,
  deployment_ids: draft.isEveryDeployment ? null : draft.deployments.toSorted((a, b) => a - b),
});

/** Returns the fields that differ from the form as it was opened; undefined if none does. */
export const webhookChanges = (before: WebhookDraft, draft: WebhookDraft): WebhookChangeIn | undefined => {
  const was = webhookOf(before);
  const is = webhookOf(draft);
  const differs = (name: keyof typeof is): boolean => JSON.stringify(was[name]) !== JSON.stringify(is[name]);
  const changes = {
    ...(differs('url') && { url: is.url }),
    ...(differs('description') && { description: is.description }),
    ...(differs('events') && { events: is.events }),
    ...(differs('deployment_ids') && { deployment_ids: is.deployment_ids }),
  };
  return Object.keys(changes).length === 0 ? undefined : changes;
};

/** Adds an entry to a list or removes it, in the order of `all`. */
export const toggled = <T>(all: readonly T[], chosen: readonly T[], one: T, isOn: boolean): T[] =>
  all.filter((other) => (other === one ? isOn : chosen.includes(other)));
