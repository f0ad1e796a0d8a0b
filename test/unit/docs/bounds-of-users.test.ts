import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { OPERATIONS } from '../../../functions/operations.ts';

const OF_USERS = new Set(['user', 'session', 'deploy_key']);

test('the page of bounds names each writing operation of users, and no other', () => {
  const page = readFileSync('functions/README.md', 'utf8');
  const [, section = ''] = /\n## What a user can have\n(.*?)\n## /s.exec(page) ?? [];
  const named = [...section.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name);
  const writing = OPERATIONS.filter(
    ({ table, method, caller }) => table === 'write' && method !== 'GET' && OF_USERS.has(caller),
  );
  expect(named.toSorted()).toEqual(writing.map(({ name }) => name).toSorted());
});
