import * as z from 'zod';

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
