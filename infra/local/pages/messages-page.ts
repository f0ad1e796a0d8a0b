import { readFile } from 'node:fs/promises';
import type { Message } from '../services/messages.ts';
import { escapeHtml } from './escape-html.ts';

/** Content policy of the page: its own style sheet and script, and nothing else. */
export const MESSAGES_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TOKENS = new URL('../../../functions/console/app/styles/tokens.css', import.meta.url);

const read = async (...files: readonly URL[]): Promise<string> =>
  (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');

/** Files that the page loads, by their names: media type and content. */
export const MESSAGES_FILES: ReadonlyMap<
  string,
  { readonly type: string; readonly content: () => Promise<string> }
> = new Map([
  [
    'messages.css',
    {
      type: 'text/css; charset=utf-8',
      // The colours of the console.
      content: () => read(TOKENS, new URL('messages.css', import.meta.url)),
    },
  ],
  [
    'messages.js',
    {
      type: 'text/javascript; charset=utf-8',
      content: () => read(new URL('messages.js', import.meta.url)),
    },
  ],
]);

const headerLines = (headers: Message['headers']): string =>
  Object.entries(headers ?? {})
    .map(([name, value]) => `<p class="header">${escapeHtml(`${name}: ${value}`)}</p>`)
    .join('');

const row = ({ kind, at, to, subject, text, headers }: Message): string =>
  `<article><h2>${kind} to ${escapeHtml(to)}</h2><p><time datetime="${at}">${at}</time> ${escapeHtml(subject)}</p>${headerLines(headers)}<pre>${escapeHtml(text)}</pre></article>`;

/** Builds the page of the messages that the service has sent. */
export const messagesPage = (messages: readonly Message[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Messages (${messages.length})</title>
<link rel="stylesheet" href="messages.css">
<script src="messages.js" defer></script>
</head>
<body>
<header>
<nav aria-label="Pages"><a href="/console">Console</a> <a href="/docs">API reference</a></nav>
<h1>Messages</h1>
<p>What the service has sent. Nothing of it has left this machine; the last 200 are kept until it stops.</p>
</header>
<main>
${messages.map(row).join('\n') || '<p>None yet. Codes, mails and notifications appear here.</p>'}
</main>
</body>
</html>
`;
