import { expect, test } from '@jest/globals';
import { MESSAGES_FILES, MESSAGES_POLICY, messagesPage } from '../../../infra/local/pages/messages-page.ts';

const MARKUP = '<img src=x onerror="alert(1)">&';
const message = {
  kind: 'mail',
  at: '2026-11-22T12:00:00.000Z',
  to: MARKUP,
  subject: MARKUP,
  text: MARKUP,
} as const;

test('the page of messages shows texts as texts', () => {
  const page = messagesPage([message]);
  expect(page).not.toContain('<img');
  expect(page.match(/&lt;img src=x onerror=&quot;alert\(1\)&quot;&gt;&amp;/g)).toHaveLength(3);
});

test('the page of messages allows no inline code or style, and loads only its files', async () => {
  expect(MESSAGES_POLICY).not.toMatch(/unsafe|\*|https?:/);
  const page = messagesPage([]);
  expect(page).toContain('None yet');
  expect(page).not.toMatch(/<style|<script>|\sstyle=|\son\w+=/);
  const names = [...page.matchAll(/(?:src|href)="([\w.]+)"/g)].map(([, name = '']) => name);
  expect(names.toSorted()).toEqual([...MESSAGES_FILES.keys()].toSorted());
  for (const { content } of MESSAGES_FILES.values()) expect(await content()).not.toBe('');
});
