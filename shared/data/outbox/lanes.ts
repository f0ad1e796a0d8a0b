/** Index partition of dead letters. */
export const DEAD_KIND = 'delivery_dead';

/**
 * Lanes that are delivered independently: push services, which users choose, may be slow and must not delay other
 * messages. The stream selects new messages by `entity`; the index lists due ones by `due`.
 */
export const LANES = {
  /** Its queue runs messages of a group in turn: entries for the lists of one user would conflict. */
  main: { entity: 'outbox', due: 'delivery' },
  /**
   * Mails and text messages of notifications, and analytics: a burst of them, or a slow service, must not delay codes and
   * lists. They have the entity of `main`: the relay of a version without this lane hands them to `main`, which delivers
   * them, too.
   */
  bulk: { entity: 'outbox', due: 'delivery_bulk' },
  push: { entity: 'outbox_push', due: 'delivery_push' },
  /** Events of engines that wait for a newer version. They have no queue: only a job looks at them. */
  events: { entity: 'outbox_event', due: 'delivery_event' },
  /** Requests to execution adapters, which other messages must not delay. */
  orders: { entity: 'outbox_order', due: 'delivery_order' },
  /** Commits whose change events wait for the logs of their readers. Those of a user run in turn. */
  changes: { entity: 'outbox_change', due: 'delivery_change' },
  /** Events for webhook endpoints, which users choose. Its queue runs those of an endpoint in turn. */
  webhooks: { entity: 'outbox_webhook', due: 'delivery_webhook' },
} as const;

export type Lane = keyof typeof LANES;

/** Lanes whose new messages the relay hands to a queue, the most urgent first. */
export const RELAYED_LANES = [
  'orders',
  'main',
  'changes',
  'push',
  'webhooks',
  'bulk',
] as const satisfies readonly Lane[];

export type RelayedLane = (typeof RELAYED_LANES)[number];

/** Kinds of the messages of the lane `bulk`. */
export const BULK_KINDS = ['analytics', 'notification_mail', 'notification_sms'] as const;

/** Returns the lane of a stored message with a queue; undefined for another item. */
export const relayedLaneOf = (
  entity: string | undefined,
  kind: string | undefined,
): RelayedLane | undefined =>
  entity === LANES.bulk.entity && BULK_KINDS.some((one) => one === kind)
    ? 'bulk'
    : RELAYED_LANES.find((lane) => LANES[lane].entity === entity);

/** Lanes with a FIFO queue, which runs the messages of a group one after another. */
const IN_TURN: readonly RelayedLane[] = ['main', 'changes', 'webhooks'];

/** Tells whether the queue of a lane runs the messages of a group one after another. */
export const runsInTurn = (lane: RelayedLane): boolean => IN_TURN.includes(lane);

/** Index partitions per lane. Every message is written to the index a few times; a partition takes 1,000 units a second. */
const DUE_PARTITIONS = 8;

/** Returns the index partition of a message. Ids are random, so their first letters spread evenly. */
export const dueKind = (lane: Lane, deliveryId: string): string =>
  `${LANES[lane].due}#${deliveryId.charCodeAt(0) % DUE_PARTITIONS}`;

/** Returns all index partitions of a lane, including the one that earlier versions wrote. */
export const dueKinds = (lane: Lane): string[] => [
  LANES[lane].due,
  ...Array.from({ length: DUE_PARTITIONS }, (_, partition) => `${LANES[lane].due}#${partition}`),
];
