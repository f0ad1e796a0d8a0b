import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly bytes: Buffer;
}

export interface Upstream {
  readonly url: string;
  readonly received: Received[];
  /** Sets its answer from now on. */
  answer: (request: Received, response: ServerResponse) => void;
  readonly close: () => Promise<void>;
}

/** Starts a server on loopback that replaces an external service. */
export const startUpstream = async (answer: Upstream['answer']): Promise<Upstream> => {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const one: Received = {
        method: request.method ?? '',
        url: new URL(request.url ?? '/', upstream.url),
        headers: request.headers,
        body: bytes.toString(),
        bytes,
      };
      received.push(one);
      upstream.answer(one, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const upstream: Upstream = {
    url: `http://127.0.0.1:${port}`,
    received,
    answer,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return upstream;
};

/** Answers with JSON. */
export const json =
  (value: unknown, status = 200): Upstream['answer'] =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };

/** Failures of an external service. Each must become a 502 within the operation's time. */
export const FAILURES: Readonly<Record<string, Upstream['answer']>> = {
  'never answers': () => undefined,
  'stops in the middle': (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"succ');
  },
  'hangs up': (_request, response) => {
    response.destroy();
  },
  'answers 503': json({}, 503),
  'redirects elsewhere': (_request, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  },
};
