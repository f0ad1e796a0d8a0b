import * as z from 'zod';
import { openEnum } from '../../domain/open-enum.ts';
import { auditList } from '../audit/audit-trail.ts';
import { type NumberedList, type PageRequest, readPage } from '../numbered-list/numbered-list.ts';
import type { OnDamaged } from '../table/damaged-items.ts';
import type { Store } from '../table/store.ts';
import type { SwitchActor, SwitchSubject } from './switch-changes.ts';
import { SWITCH_HOLDERS, SWITCH_LEVELS } from './switches.ts';

/** Returns the trail of the switches of a broker: those that it threw, and that of its own. */
export const brokerTrail = (brokerId: number): NumberedList => ({ pk: `SWITCH_TRAIL#BROKER#${brokerId}` });

/** Returns the trail of the switches that operators threw. */
const operatorTrail = (): NumberedList => ({ pk: 'SWITCH_TRAIL#SERVICE' });

/** Returns the lists that record a change of a switch: of the user, the broker and the operators that it concerns. */
export const trailsOf = (subject: SwitchSubject, actor: SwitchActor): NumberedList[] => [
  ...(subject.level === 'user' ? [auditList(subject.user_id)] : []),
  ...(subject.level === 'broker' ? [brokerTrail(subject.broker_id)] : []),
  ...(subject.level === 'user' && actor.by === 'broker' ? [brokerTrail(actor.broker_id)] : []),
  ...(actor.by === 'operator' ? [operatorTrail()] : []),
];

export const SWITCH_ACTIONS = ['kill_switch_thrown', 'kill_switch_re_armed'] as const;

/** Entry of a trail, as an entry of the audit trail of users with the details of a switch. */
const trailEntrySchema = z.object({
  at: z.string(),
  action: z.enum(SWITCH_ACTIONS),
  by: openEnum(SWITCH_HOLDERS, 'operator'),
  reason: z.string(),
  details: z.object({
    level: openEnum(SWITCH_LEVELS, 'service'),
    user_id: z.string().optional(),
    user_email: z.string().optional(),
    broker_id: z.number().optional(),
    flatten: z.boolean().default(false),
  }),
});

export type TrailEntry = z.output<typeof trailEntrySchema>;

/** Reads a page of a trail, newest first. @param onDamaged takes the errors of entries that cannot be read. */
export const readTrail = (
  store: Store,
  list: NumberedList,
  page: PageRequest,
  onDamaged: OnDamaged,
): Promise<{ entries: TrailEntry[]; total: number }> =>
  readPage(store, list, page, trailEntrySchema, onDamaged);
