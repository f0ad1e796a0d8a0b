import * as z from 'zod';
import { extensionRecord, extra, timestamp } from '../api/fields.ts';
import type { TradingSummary } from '../data/books/summary.ts';
import { ACTORS } from '../domain/deployments/deployment-states.ts';

const holdOut = extensionRecord(
  'DeploymentHold',
  z.object({ by: z.enum(ACTORS), reason: z.string(), at: timestamp() }),
);

const stopOut = extensionRecord(
  'DeploymentStop',
  z.object({ by: z.enum(ACTORS), reason: z.string(), flatten: z.boolean(), until: timestamp() }),
);

/** Fields that tell why a deployment does not run; the contract does not have them. */
export const holdFields = { held: extra(holdOut.nullable()), stopping: extra(stopOut.nullable()) } as const;

/** Presents the command that pauses, halts or stops a deployment. */
export const presentHold = ({ held, stopping }: Pick<TradingSummary, 'held' | 'stopping'>) => ({
  held: held ?? null,
  stopping: stopping ?? null,
});
