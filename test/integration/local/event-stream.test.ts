import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as z from 'zod';
import { createGateway } from '../../../infra/local/gateway/gateway.ts';

const asEvent = z.object({ headers: z.record(z.string(), z.string()) });
const asked: (string | undefined)[] = [];

const server = createServer(
  createGateway({
    port: 0,
    routes: [
      {
        routeKey: 'GET /events',
        invoke: async (event) => {
          asked.push(asEvent.parse(event).headers['last-event-id']);
          const body = `id: ${asked.length}\ndata: event ${asked.length}\n\n`;
          return { statusCode: 200, headers: { 'content-type': 'text/event-stream' }, body };
        },
      },
    ],
  }),
);
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.close();
});

test('an event stream goes on after its last id, until the client disconnects', async () => {
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const ended = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}/events`, { signal: ended.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes('event 2')) break;
  }
  ended.abort();
  expect(text).toMatch(/^id: 1\ndata: event 1\n\nid: 2\ndata: event 2\n\n/);
  // The stream waits no longer for a client that has left, so the server ends.
  await new Promise((resolve) => server.close(resolve));
  // A slow client may leave after the stream has asked again.
  expect(asked.slice(0, 2)).toEqual([undefined, '1']);
});
