import * as z from 'zod';
import { extensionRecord, integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { countIn } from '../../shared/data/track-records/counts.ts';
import { findRecords } from '../../shared/data/track-records/find-records.ts';
import { presentRecordItem, recordItemOut } from './records/track-record.ts';

const MOST = 100;

const authorRecordsOut = extensionRecord(
  'AuthorRecords',
  z.object({
    total: integer(),
    items: z.array(recordItemOut),
    next_before: integer().nullable(),
  }),
);

export const getAuthorRecords = defineOperation({
  method: 'GET',
  path: '/get_author_records',
  name: 'get_author_records',
  summary: 'List the track records that an author ever began',
  description:
    'Newest first, with those that have ended and those of strategies that are no longer public: nothing that an author does removes one. `before` goes on with the records before one.',
  caller: 'anyone',
  extension: true,
  input: {
    query: z.object({
      user_key: z.string().max(100),
      before: integer().optional(),
      size: integer({ min: 1, max: MOST }).default(50),
    }),
  },
  output: authorRecordsOut,
  errors: [],
  table: 'read',
  cache: 'public, no-cache',
  handler: async ({ query: { user_key: author, before, size } }, { store, onDamaged }) => {
    const [[count], found] = await Promise.all([
      store.getMany([keys.recordCount(author)], { consistent: true }),
      findRecords(store, author, { before, limit: size }, onDamaged),
    ]);
    return {
      total: countIn(count),
      items: found.map(presentRecordItem),
      next_before: found.length < size ? null : (found.at(-1)?.record_id ?? null),
    };
  },
});
