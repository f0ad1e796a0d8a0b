import type * as z from 'zod';
import { checkRules } from './checks.ts';
import { shapeSchema } from './shape.ts';

/** Schema of rules: strict, with defaults filled in and all limits checked. */
export const rulesSchema: z.ZodObject<(typeof shapeSchema)['shape'], z.core.$strict> = shapeSchema
  .superRefine((rules, context) => checkRules(rules, context.addIssue))
  .meta({ id: 'Rules', 'x-extension': true });
