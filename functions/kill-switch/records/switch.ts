import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../../shared/api/fields.ts';
import type { Halt } from '../../../shared/data/switches/halts.ts';
import { SWITCH_HOLDERS, SWITCH_LEVELS, type ThrownSwitch } from '../../../shared/data/switches/switches.ts';

/** A kill switch that is thrown. */
export const thrownSwitchOut = extensionRecord(
  'ThrownSwitch',
  z.object({
    level: z.enum(SWITCH_LEVELS),
    by: z.enum(SWITCH_HOLDERS),
    /** Set if it covers only deployments at this broker. */
    broker_id: integer().nullable(),
    since: timestamp(),
    reason: z.string(),
    flatten: z.boolean(),
  }),
);

/** Presents a thrown switch. */
export const presentThrown = ({
  level,
  by,
  broker_id,
  at,
  reason,
  flatten,
}: ThrownSwitch): z.output<typeof thrownSwitchOut> => ({
  level,
  by,
  broker_id: broker_id ?? null,
  since: at,
  reason,
  flatten,
});

/** Progress of halting the deployments that a thrown switch covers. */
export const haltingOut = extensionRecord(
  'Halting',
  z.object({ halted: integer({ min: 0 }), finished_at: timestamp().nullable() }),
);

/** Presents the progress of halting. */
export const presentHalting = ({
  halted,
  finished_at,
}: Pick<Halt, 'halted' | 'finished_at'>): z.output<typeof haltingOut> => ({
  halted,
  finished_at: finished_at ?? null,
});

/** State of a switch after a request. */
export const switchChangeOut = extensionRecord(
  'KillSwitchChange',
  z.object({
    thrown: z.boolean(),
    /** False if a switch was to be re-armed that was not thrown. */
    changed: z.boolean(),
  }),
);
