import * as z from 'zod';
import { integer } from '../../../shared/api/fields.ts';

/** The most events of an answer: one call reads them. */
const MAX_EVENTS = 100;
const MAX_WAIT_S = 10;

/** Parameters of operations that read events. */
export const feedQuery = {
  after: z.string().optional(),
  limit: integer({ min: 1, max: MAX_EVENTS }).default(50),
  wait: integer({ min: 0, max: MAX_WAIT_S }).default(0),
} as const;
