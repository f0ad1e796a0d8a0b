/** Index partition of dead letters. */
export const DEAD_KIND = 'delivery_dead';

/**
 * Lanes that are delivered independently: push services, which users choose, may be slow and must not delay other
 * messages. The stream selects new messages by `entity`; the index lists due ones by `due`.
 */
export const LANES = {
  main: { entity: 'outbox', due: 'delivery' },
  push: { entity: 'outbox_push', due: 'delivery_push' },
  /** Events of engines that wait for a newer version. The stream does not deliver them. */
  events: { entity: 'outbox_event', due: 'delivery_event' },
  /** Requests to execution adapters, which other messages must not delay. */
  orders: { entity: 'outbox_order', due: 'delivery_order' },
} as const;

export type Lane = keyof typeof LANES;

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
