import * as z from 'zod';
import type { EventPattern } from './event-pattern.ts';

/** Event in the format that EventBridge passes to a target. */
export const busEvent = z.object({
  version: z.literal('0'),
  id: z.string(),
  'detail-type': z.string(),
  source: z.string(),
  account: z.string(),
  time: z.string(),
  region: z.string(),
  resources: z.array(z.string()),
  detail: z.record(z.string(), z.unknown()),
});

export type BusEvent = z.output<typeof busEvent>;

/** Rule of the bus: a pattern of events and their target. */
export interface BusRule {
  readonly name: string;
  readonly pattern: EventPattern;
  /** Maximum number of attempts, if it differs from the bus's. */
  readonly attempts?: number;
  /** Delivers one event. A rejection causes a retry. */
  readonly deliver: (event: BusEvent) => Promise<void>;
  /** Tells whether an error is permanent. */
  readonly isFinal?: (error: unknown) => boolean;
  /** Returns the pause before the first retry if it differs from the bus's. */
  readonly backoffMs?: (error: unknown) => number | undefined;
}
