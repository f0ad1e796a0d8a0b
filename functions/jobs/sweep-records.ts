import { putOffDueItem } from '../../shared/data/table/due-items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { attendRecord, type DueRecord, findDueRecords } from '../../shared/data/track-records/due-records.ts';
import { textId } from '../../shared/ids.ts';
import { dueJob } from './due-job.ts';

const keyOf = ({ author, record_id }: DueRecord) => keys.trackRecord(author, record_id);

/** Lets workers advance track records whose day has ended. */
export const sweepRecords = dueJob<DueRecord>({
  name: 'sweep-records',
  summary: 'Lets workers advance track records whose day has ended',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: [],
  find: ({ store, clock }, limit, onDamaged) => findDueRecords(store, clock(), limit, onDamaged),
  attend: ({ store, clock, random }, due) => attendRecord(store, due, textId(random), clock()),
  nameOf: ({ record_id }) => record_id,
  putOff: ({ store, clock }, due) => putOffDueItem(store, keyOf(due), due.due_kind, clock()),
  page: 500,
  called: 'track records',
});
