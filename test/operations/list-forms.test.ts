import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import { OPERATIONS } from '../../functions/operations.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { filteredPageOf, pageOf, pageQuery, toFilteredPage, toPage } from '../../shared/api/pages.ts';
import { startHub, type TestHub } from '../support/hub.ts';

const FORMULAS = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠1'];

const item = z.object({
  text: z.string(),
  amount: z.number().nullable(),
  flag: z.boolean(),
  nested: z.object({ parts: z.array(z.string()) }),
  missing: z.string().optional(),
});

const rowOf = (text: string, amount: number | null = 0): z.output<typeof item> => ({
  text,
  amount,
  flag: false,
  nested: { parts: [text] },
});

const ROWS = [
  ...FORMULAS.map((text) => rowOf(text)),
  rowOf('plain', -12.5),
  rowOf('a "quoted", text\r\nof two lines; =1', null),
  rowOf('', 1e-7),
];

const common = { caller: 'anyone', summary: 'For the tests', table: 'none', errors: [] } as const;
const listQuery = { user_id: z.string().optional(), cursor: z.number().optional(), ...pageQuery };
const PROBES = [
  defineOperation({
    ...common,
    method: 'GET',
    path: '/probe/rows',
    name: 'rows',
    input: { query: z.object(listQuery) },
    output: pageOf('ProbeRow', item),
    handler: async ({ query }) => {
      const skip = (query.page - 1) * query.size;
      return toPage(ROWS.slice(skip, skip + query.size), ROWS.length, query);
    },
  }),
  defineOperation({
    ...common,
    method: 'POST',
    path: '/probe/chosen',
    name: 'chosen',
    input: { query: z.object(listQuery) },
    output: filteredPageOf('ProbeChosen', item),
    handler: async ({ query }) =>
      toFilteredPage(ROWS.slice(0, 4), query, { next: query.cursor === 7 ? undefined : 7, isWhole: true }),
  }),
  defineOperation({
    ...common,
    method: 'GET',
    path: '/probe/record',
    name: 'probe_record',
    input: {},
    output: z.object({ text: z.string() }),
    handler: async () => ({ text: '=1' }),
  }),
];

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub([...OPERATIONS, ...PROBES]);
});
afterAll(() => hub.close());

const rows = (accept: string | undefined, query: Readonly<Record<string, string>> = {}) =>
  hub.call('GET /probe/rows', { query, ...(accept !== undefined && { headers: { accept } }) });

describe('a page as CSV', () => {
  test('is RFC 4180 with a header row, as a file', async () => {
    const { status, headers, text } = await rows('text/csv', { size: '2', page: '7' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="rows.csv"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      vary: 'accept',
    });
    expect(text).toBe(
      [
        'text,amount,flag,nested,missing',
        `"a ""quoted"", text\r\nof two lines; =1",,false,"{""parts"":[""a \\""quoted\\"", text\\r\\nof two lines; =1""]}",`,
        `"",1e-7,false,"{""parts"":[""""]}",`,
        '',
      ].join('\r\n'),
    );
  });

  test('holds no formulas, and numbers as they are', async () => {
    const { text } = await rows('text/csv');
    const read: Record<string, string>[] = parse(text, { columns: true });
    expect(read.slice(0, FORMULAS.length).map((row) => row.text)).toEqual(FORMULAS.map((one) => `'${one}`));
    expect(read.slice(FORMULAS.length).map(({ amount }) => amount)).toEqual(['-12.5', '', '1e-7']);
    expect(read.map(({ nested }) => JSON.parse(nested ?? ''))).toEqual(ROWS.map(({ nested }) => nested));
  });

  test('has the header row without items, and none if the client wants none', async () => {
    expect((await rows('text/csv', { page: '9' })).text).toBe('text,amount,flag,nested,missing\r\n');
    const { headers, text } = await rows('text/csv;header=absent', { page: '9' });
    expect([headers['content-type'], text]).toEqual(['text/csv; charset=utf-8; header=absent', '']);
  });

  test('is stored for an Idempotency-Key apart from the page as JSON', async () => {
    const ask = (accept: string) =>
      hub.call('POST /probe/chosen', { headers: { accept, 'idempotency-key': 'one' } });
    const { text } = await ask('text/csv');
    expect(await ask('text/csv')).toMatchObject({ text, headers: { 'idempotent-replayed': 'true' } });
    expect((await ask('application/json')).body).toMatchObject({ total: 4 });
  });
});

test('a page as NDJSON has a line per item', async () => {
  const { headers, text } = await rows('application/x-ndjson', { size: '100' });
  expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
  expect(headers['content-disposition']).toBe('attachment; filename="rows.ndjson"');
  expect(
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  ).toEqual(ROWS);
});

test.each([
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['', 'application/json'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
  ['application/xml', 'application/json'],
  ['application/json, text/csv', 'application/json'],
  ['text/csv;q=0.5, application/json', 'application/json'],
  ['text/csv;q=0', 'application/json'],
  ['text/csv;q=x, csv, ;;', 'application/json'],
  ['text/csv, */*;q=0.1', 'text/csv; charset=utf-8; header=present'],
  ['TEXT/CSV; charset=UTF-8', 'text/csv; charset=utf-8; header=present'],
  ['application/jsonl', 'application/jsonl; charset=utf-8'],
])('Accept %j gives %s', async (accept, type) => {
  const { status, headers } = await rows(accept);
  expect([status, headers['content-type']]).toEqual([200, type]);
});

test('answers that are no lists, and errors, stay JSON', async () => {
  const headers = { accept: 'text/csv' };
  const record = await hub.call('GET /probe/record', { headers });
  expect(record.headers['content-type']).toBe('application/json');
  expect(record.headers).not.toHaveProperty('link');
  const refused = await hub.call('GET /probe/rows', { headers, query: { page: '0' } });
  expect([refused.status, refused.headers['content-type']]).toEqual([422, 'application/json']);
});

/** Returns the queries of the links of an answer, by relation. */
const linksOf = (header: string | undefined): Record<string, string> =>
  Object.fromEntries(
    [...(header ?? '').matchAll(/<https:\/\/hub\.example\/probe\/\w+\?([^>]*)>; rel="(\w+)"/g)].map(
      ([, query = '', rel = '']) => [rel, query],
    ),
  );

describe('the Link header of a page', () => {
  test.each(['application/json', 'text/csv', 'application/x-ndjson'])(
    'leads to others as %s',
    async (accept) => {
      const query = { user_id: 'u>, <x', page: '2', size: '5' };
      const { headers } = await rows(accept, query);
      expect(linksOf(headers.link)).toEqual({
        next: 'user_id=u%3E%2C+%3Cx&page=3&size=5',
        prev: 'user_id=u%3E%2C+%3Cx&page=1&size=5',
        first: 'user_id=u%3E%2C+%3Cx&page=1&size=5',
        last: 'user_id=u%3E%2C+%3Cx&page=3&size=5',
      });
    },
  );

  test('repeats only the query of the caller', async () => {
    expect(linksOf((await rows(undefined)).headers.link)).toEqual({ first: 'page=1', last: 'page=1' });
  });

  test('leads from a page past the end to the last one', async () => {
    const { headers } = await rows(undefined, { page: '99', size: '5' });
    expect(linksOf(headers.link)).toEqual({
      prev: 'page=3&size=5',
      first: 'page=1&size=5',
      last: 'page=3&size=5',
    });
  });

  test('leads through the parts of a filtered list', async () => {
    const chosen = (query: Readonly<Record<string, string>>) => hub.call('POST /probe/chosen', { query });
    const first = await chosen({ size: '2' });
    expect(linksOf(first.headers.link)).toEqual({ next: 'size=2&page=2', first: 'size=2&page=1' });
    const second = await chosen({ size: '2', page: '2' });
    expect(linksOf(second.headers.link)).toEqual({
      next: 'size=2&page=1&cursor=7',
      prev: 'size=2&page=1',
      first: 'size=2&page=1',
    });
    const rest = await chosen({ size: '2', cursor: '7' });
    expect(linksOf(rest.headers.link)).toEqual({
      next: 'size=2&cursor=7&page=2',
      first: 'size=2&page=1',
      last: 'size=2&cursor=7&page=2',
    });
  });

  test('leaves out links that would make it too long', async () => {
    const { status, headers } = await rows(undefined, { user_id: '<'.repeat(1500), page: '2', size: '5' });
    expect(status).toBe(200);
    expect(Object.keys(linksOf(headers.link))).toEqual(['next']);
    const long = await rows(undefined, { user_id: '<'.repeat(2500) });
    expect(long.headers).not.toHaveProperty('link');
  });
});

test('every paged list has columns', async () => {
  const { listText } = await import('../../shared/api/page-forms.ts');
  const lists = OPERATIONS.filter(({ isPaged }) => isPaged);
  expect(lists.length).toBeGreaterThanOrEqual(20);
  for (const { name, output } of lists) {
    expect([name, listText('text/csv', output, [])?.text]).toEqual([
      name,
      expect.stringMatching(/^\w+(,\w+)+\r\n$/),
    ]);
  }
});
