import * as z from 'zod';
import type { ChangeData, ChangeType } from './catalogue.ts';

/**
 * A change event as stored and sent. Its type is open: events of a newer version pass through unchanged, so `data` is
 * checked only where an event is made.
 */
export const changeEventSchema = z.looseObject({
  /** Stable and opaque; the same in every log and webhook. */
  id: z.string(),
  type: z.string(),
  /** Time at which the change was committed. */
  at: z.string(),
  /** Absent for changes that concern no deployment. */
  deployment_id: z.number().optional(),
  /** Counts the events of a deployment without gaps. */
  sequence: z.number().optional(),
  /** Public name of the owner; set for brokers only. */
  user_key: z.string().optional(),
  data: z.record(z.string(), z.unknown()),
});

/** A change event of any version. */
export type ChangeEvent = z.output<typeof changeEventSchema>;

/** An event of a change that is about to be committed. */
export type ChangeDraft = {
  readonly [T in ChangeType]: { readonly type: T; readonly data: ChangeData<T> };
}[ChangeType];
