import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Kinds of incomplete answers. */
export const STALLS = {
  'never answers': () => undefined,
  'stalls after its headers': (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'content-length': '1000' });
    response.flushHeaders();
  },
  'sends a byte now and then': (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'content-length': '1000' });
    const timer = setInterval(() => response.write(' '), 200);
    response.on('close', () => clearInterval(timer));
  },
} as const;

export type Stall = keyof typeof STALLS;

export interface Stalling {
  readonly url: string;
  /** Stalls every request from now on; undefined passes requests on. */
  stall: Stall | undefined;
  /** Number of stalled requests. */
  readonly stalled: () => number;
  readonly close: () => Promise<void>;
}

const passOn = (target: string, incoming: IncomingMessage, response: ServerResponse): void => {
  const { method, headers, url = '/' } = incoming;
  const outgoing = httpRequest(new URL(url, target), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  incoming.pipe(outgoing);
};

/**
 * Starts a server on loopback that stalls, or passes requests on to `target`.
 *
 * @param stallOf returns the stall for the body of a request, so that calls can stall in several ways at once.
 */
export const startStalling = async (
  target = 'http://127.0.0.1:1',
  stallOf?: (body: string) => Stall | undefined,
): Promise<Stalling> => {
  let stalled = 0;
  const server = createServer(async (request, response) => {
    const stall = stallOf ? stallOf(await text(request)) : stalling.stall;
    if (stall === undefined) return passOn(target, request, response);
    stalled += 1;
    request.resume();
    STALLS[stall](response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const stalling: Stalling = {
    url: `http://127.0.0.1:${port}`,
    stall: undefined,
    stalled: () => stalled,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return stalling;
};
