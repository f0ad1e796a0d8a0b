import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestHub } from './hub.ts';
import { bearer } from './people.ts';

interface Served {
  readonly url: string;
  readonly close: () => void;
}

/** Serves assistants of a hub in this process at an address of this machine, with a key that programs need not send. */
export const serveAssistants = async (hub: TestHub, key: string): Promise<Served> => {
  const server = createServer(async (request, response) => {
    const port = request.socket.localPort ?? 0;
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
    const answer = await hub
      .with({ HUB_PUBLIC_URL: `http://localhost:${port}` })
      .call(`${request.method} /mcp`, {
        headers: { ...Object.fromEntries(headers), ...bearer(key) },
        body: await text(request),
      });
    response.writeHead(answer.status, answer.headers).end(answer.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { url: `http://localhost:${address.port}/mcp`, close: () => server.close() };
};
