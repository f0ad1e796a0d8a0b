/** The kind of the index that lists what was given up. */
export const DEAD_KIND = 'delivery_dead';

/**
 * What is delivered apart from each other: a push service, which users choose, may take its time and hold up
 * nothing else. By `entity` the stream finds what is new, by `due` the index lists what is due.
 */
export const LANES = {
  main: { entity: 'outbox', due: 'delivery' },
  push: { entity: 'outbox_push', due: 'delivery_push' },
  /** Events of engines that wait for a newer version. The stream does not bring them. */
  events: { entity: 'outbox_event', due: 'delivery_event' },
} as const;

export type Lane = keyof typeof LANES;

/**
 * Every message of everybody is written to the index a few times. A partition of it takes 1,000 units a second,
 * so each lane has eight.
 */
const DUE_PARTITIONS = 8;

/** The partition of the index in which a message is due: ids are random, and so is their first letter. */
export const dueKind = (lane: Lane, deliveryId: string): string =>
  `${LANES[lane].due}#${deliveryId.charCodeAt(0) % DUE_PARTITIONS}`;

/** All of a lane, with the one that versions before this one wrote to. */
export const dueKinds = (lane: Lane): string[] => [
  LANES[lane].due,
  ...Array.from({ length: DUE_PARTITIONS }, (_, partition) => `${LANES[lane].due}#${partition}`),
];
