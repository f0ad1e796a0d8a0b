import * as z from 'zod';
import type { Capability } from '../../settings.ts';

/** Index partition of dead letters. */
export const DEAD_KIND = 'delivery_dead';

/** Queue of a lane, and limits of its function: `functions/consumers.ts` makes the function `deliver-<lane>` of them. */
interface LaneQueue {
  readonly uses: readonly Capability[];
  /** True if the function never reads the secret of the service. */
  readonly withoutSecret: boolean;
  /** True if messages of a group are delivered one after another, by a FIFO queue. */
  readonly inTurn: boolean;
  readonly batchSize: number;
  /** Deliveries of a message that fail before it goes to the dead letters. */
  readonly maxReceives: number;
  /** Largest number of parallel runs of the function. */
  readonly maxConcurrency: number;
}

interface LaneFacts {
  /** The stream selects new messages by it. */
  readonly entity: string;
  /** The index lists due messages by it. */
  readonly due: string;
  /** Undefined if only a job looks at the messages. */
  readonly queue?: LaneQueue;
}

const USUAL = { batchSize: 10, maxReceives: 5, maxConcurrency: 20, inTurn: false, withoutSecret: false };

/**
 * Lanes of the outbox, the most urgent first. They are delivered independently: a slow service, or an endpoint that a user
 * chose, must not delay other messages.
 */
export const LANES = {
  /** Requests to execution adapters. Nothing delays an order. */
  orders: {
    entity: 'outbox_order',
    due: 'delivery_order',
    queue: { ...USUAL, uses: ['bus'], withoutSecret: true },
  },
  /** Entries for the lists of one user would conflict, so they run in turn. Messages are paid for: bounds a runaway. */
  main: {
    entity: 'outbox',
    due: 'delivery',
    queue: {
      ...USUAL,

      uses: ['mail', 'sms', 'bus'],
      inTurn: true,
    },
  },
  /** Commits whose change events wait for the logs of their readers. Events of a user conflict with each other. */
  changes: {
    entity: 'outbox_change',
    due: 'delivery_change',
    queue: { ...USUAL, uses: [], withoutSecret: true, inTurn: true },
  },
  /** Messages to devices. Bounds the load on push services, which users choose. */
  push: {
    entity: 'outbox_push',
    due: 'delivery_push',
    queue: { ...USUAL, uses: ['push'] },
  },
  /** Events for webhook endpoints. Bounds the load on endpoints, which users choose; those of one run in turn. */
  webhooks: {
    entity: 'outbox_webhook',
    due: 'delivery_webhook',
    queue: {
      ...USUAL,

      uses: ['webhooks', 'encryption'],
      withoutSecret: true,
      inTurn: true,
    },
  },
  /**
   * Events for webhook endpoints that did not prove to be fast yet, challenges, tests and repeats. Those of an owner run in
   * turn and alone in their batch, so that slow endpoints hold up nobody else's. Due ones are swept like the others.
   */
  trials: {
    entity: 'outbox_trial',
    due: 'delivery_webhook',
    queue: {
      ...USUAL,
      batchSize: 1,
      uses: ['webhooks', 'encryption'],
      withoutSecret: true,
      inTurn: true,
    },
  },
  /** Mails and text messages of notifications, and analytics: a burst of them must not delay codes and lists. */
  bulk: {
    entity: 'outbox_bulk',
    due: 'delivery_bulk',
    queue: { ...USUAL, uses: ['mail', 'sms', 'analytics'] },
  },
  /** Events of engines that wait for a newer version. */
  events: { entity: 'outbox_event', due: 'delivery_event' },
} as const satisfies Readonly<Record<string, LaneFacts>>;

export type Lane = keyof typeof LANES;

/** Lanes with a queue, the most urgent first. The relay hands their new messages over. */
export const RELAYED_LANES = [
  'orders',
  'main',
  'changes',
  'push',
  'webhooks',
  'trials',
  'bulk',
] as const satisfies readonly Lane[];

export type RelayedLane = (typeof RELAYED_LANES)[number];

/** Returns the lane of a stored message with a queue; undefined for another item. */
export const relayedLaneOf = (entity: string | undefined): RelayedLane | undefined =>
  RELAYED_LANES.find((lane) => LANES[lane].entity === entity);

/** Tells whether the queue of a lane runs the messages of a group one after another. */
export const runsInTurn = (lane: RelayedLane): boolean => LANES[lane].queue.inTurn;

/** Index partitions per lane. Every message is written to the index a few times; a partition takes 1,000 units a second. */
const DUE_PARTITIONS = 8;

/** Returns the index partition of a message. Ids are random, so their first letters spread evenly. */
export const dueKind = (lane: Lane, deliveryId: string): string =>
  `${LANES[lane].due}#${deliveryId.charCodeAt(0) % DUE_PARTITIONS}`;

/** Returns all index partitions of a lane. */
export const dueKinds = (lane: Lane): string[] =>
  Array.from({ length: DUE_PARTITIONS }, (_, partition) => `${LANES[lane].due}#${partition}`);

/**
 * A message of the outbox as it travels on the queue of its lane. The content stays in the table, so an old message on
 * a queue can neither leak nor resend anything.
 */
export const laneMessageSchema = z.object({
  delivery_id: z.string(),
  /** Attempts when it was handed over. A different number means that another process took the message since. */
  attempts: z.number(),
  /** Messages of a group run one after another. */
  group: z.string().optional(),
});

export type LaneMessage = z.output<typeof laneMessageSchema>;
