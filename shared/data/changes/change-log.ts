import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type ChangeEvent, changeEventSchema } from '../../domain/changes/change-event.ts';
import { addDays, dayOf } from '../../domain/periods.ts';
import type { Item } from '../table/attributes.ts';
import { DamagedItemError, type OnDamaged } from '../table/damaged-items.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';

/**
 * Logs of change events: one per user, several per broker. Entries have positions without gaps, which the
 * head gives in the transaction that writes them, so a later commit never fills a position that was read past.
 */

/** Days for which readers see an event. */
const KEPT_DAYS = 30;
/** Days after which the table removes an entry: none that a reader may see. */
const STORED_DAYS = KEPT_DAYS + 2;
const DAY_S = 24 * 3600;

/** Logs per broker, by user. One log takes some tens of transactions a second. Never change it while there are logs. */
const BROKER_LOGS = 16;

/** Returns the log of a broker that holds the events of a user. */
export const brokerLog = (brokerId: number, userId: string): string =>
  brokerLogAt(brokerId, (createHash('sha256').update(userId).digest()[0] ?? 0) % BROKER_LOGS);

const brokerLogAt = (brokerId: number, index: number): string => `BROKER#${brokerId}#${index}`;

/** Returns all logs of a broker, in the order of a cursor. */
export const brokerLogs = (brokerId: number): string[] =>
  Array.from({ length: BROKER_LOGS }, (_, index) => brokerLogAt(brokerId, index));

const headSchema = z.object({
  /** Position of the last entry. */
  position: z.number(),
  /** First position of each of the last days with entries, in UTC. */
  days: z.array(z.object({ day: z.string(), from: z.number() })),
  /** Time of the last entry, epoch milliseconds. */
  last_at: z.number(),
  /** Position of the last entry that a reader found damaged. Readers begin after it. */
  lost: z.number().optional(),
});

export type LogHead = z.output<typeof headSchema>;

/** Parses an item as the head of a log; undefined if the log is empty. */
export const asLogHead = (item: Item | undefined): LogHead | undefined => item && parseItem(headSchema, item);

/** Returns the position before the first event that is kept. */
const beforeKept = (head: LogHead | undefined, now: Date): number => {
  if (!head) return 0;
  const oldest = addDays(dayOf(now.getTime()), -KEPT_DAYS);
  const first = head.days.find(({ day }) => day >= oldest);
  return first ? first.from - 1 : head.position;
};

/** Returns the position before the first event that readers see. */
export const beforeFirst = (head: LogHead | undefined, now: Date): number =>
  Math.max(beforeKept(head, now), head?.lost ?? 0);

/** Returns the write that lets readers begin after a damaged entry. Its condition fails if they already do. */
export const lostWrite = (log: string, position: number): Write => ({
  key: keys.changeLog(log),
  set: { lost: position },
  if: {
    condition: 'attribute_exists(pk) AND (attribute_not_exists(lost) OR lost < :lost)',
    values: { ':lost': position },
  },
});

/** Returns a position before all events since a time that readers see. Earlier events of that day may follow it. */
export const beforeTime = (head: LogHead | undefined, since: number, now: Date): number => {
  const first = head?.days.find(({ day }) => day >= dayOf(since));
  return Math.max(beforeKept(head, now), first ? first.from - 1 : (head?.position ?? 0));
};

/** Returns the writes that append events to a log. Their conditions fail if others were appended meanwhile. */
export const appendWrites = (
  log: string,
  head: LogHead | undefined,
  events: readonly ChangeEvent[],
  now: Date,
): Write[] => {
  const { position = 0, days = [], last_at = 0 } = head ?? {};
  // A clock that goes back begins no day.
  const at = Math.max(now.getTime(), last_at);
  const today = dayOf(at);
  const kept = days.filter(({ day }) => day >= addDays(today, -STORED_DAYS));
  const isBegun = kept.some(({ day }) => day === today);
  const next: LogHead = {
    ...head,
    position: position + events.length,
    days: isBegun ? kept : [...kept, { day: today, from: position + 1 }],
    last_at: at,
  };
  return [
    {
      put: { ...keys.changeLog(log), entity: 'change_log', ...next },
      if: head
        ? {
            condition: '#position = :position',
            names: { '#position': 'position' },
            values: { ':position': position },
          }
        : { condition: 'attribute_not_exists(pk)' },
    },
    ...events.map(
      (event, index): Write => ({
        put: {
          ...keys.changeEntry(log, position + 1 + index),
          entity: 'change_event',
          event,
          expires_at_s: Math.floor(at / 1000) + STORED_DAYS * DAY_S,
        },
      }),
    ),
  ];
};

/** Range of a log: the entries after `after`, up to and including `upTo`. */
export interface LogRange {
  readonly log: string;
  readonly head: LogHead | undefined;
  readonly after: number;
  readonly upTo: number;
}

/** An event with its position in a log. */
export interface LoggedEvent {
  readonly position: number;
  readonly event: ChangeEvent;
}

const entrySchema = z.object({ event: changeEventSchema });

/**
 * Milliseconds for which an entry below the head may be invisible: reads see the writes of a transaction one by one. An
 * older one is lost.
 */
const SETTLING_MS = 60_000;

const keysOf = ({ log, after, upTo }: LogRange): Key[] =>
  Array.from({ length: Math.max(0, upTo - after) }, (_, index) => keys.changeEntry(log, after + 1 + index));

/** Returns the event of an entry; undefined if it is damaged, which is reported. */
const eventIn = (item: Item, onDamaged: OnDamaged | undefined): ChangeEvent | undefined => {
  try {
    return parseItem(entrySchema, item).event;
  } catch (error) {
    if (!onDamaged || !(error instanceof z.ZodError)) throw error;
    // The partition of the log may name a user.
    const place = `the entry ${String(item.sk)} of a log of events cannot be read`;
    onDamaged(new DamagedItemError(place, error, item));
    return undefined;
  }
};

/**
 * Reads ranges of logs in one call per 100 entries. A range ends early before an entry that is not visible yet.
 *
 * @param onDamaged takes the errors of damaged entries. Without it, they are errors.
 * @returns for each range its events; the position up to which it was read; and that of its last damaged entry, `lost`.
 */
export const readRanges = async (
  store: Store,
  ranges: readonly LogRange[],
  now: Date,
  onDamaged?: OnDamaged,
): Promise<
  { readonly events: LoggedEvent[]; readonly upTo: number; readonly lost: number | undefined }[]
> => {
  const wanted = ranges.map(keysOf);
  const all = wanted.flat();
  const items = all.length === 0 ? [] : await store.getMany(all, { consistent: true });
  let from = 0;
  return ranges.map(({ after, head }, index) => {
    const count = wanted[index]?.length ?? 0;
    const own = items.slice(from, from + count);
    from += count;
    const isSettling = head !== undefined && now.getTime() - head.last_at < SETTLING_MS;
    const events: LoggedEvent[] = [];
    let lost: number | undefined;
    for (const [offset, item] of own.entries()) {
      if (!item && isSettling) return { events, upTo: after + offset, lost };
      if (!item) continue;
      const position = after + 1 + offset;
      const event = eventIn(item, onDamaged);
      if (event) events.push({ position, event });
      else lost = position;
    }
    return { events, upTo: after + count, lost };
  });
};
