import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** Another process listens on the port. The message tells how to choose another one. */
export class PortTakenError extends Error {
  constructor(port: number, setting: string) {
    super(`Port ${port} is taken. Choose another with ${setting}, for instance ${setting}=${port + 10}.`);
    this.name = 'PortTakenError';
  }
}

/** The body is larger than the limit. */
export class BodyTooLargeError extends Error {}

export interface LocalServer {
  readonly port: number;
  /** Sets the listener. Requests before that get 503. */
  readonly serve: (listener: RequestListener) => void;
  /** Stops accepting requests, waits `graceMs` for those in flight, then aborts them. */
  readonly close: (graceMs?: number) => Promise<void>;
}

interface ServerOptions {
  /** 0 selects a free port. */
  readonly port?: number;
  /** Environment variable that sets the port. */
  readonly setting?: string;
  readonly maxHeaderBytes?: number;
}

/** Answers with a JSON text. */
export const sendJson = (
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void => {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    'content-type': 'application/json',
    ...headers,
    'content-length': body.byteLength,
  });
  response.end(body);
};

/** Reads a body of at most `limit` bytes. @throws BodyTooLargeError */
export const readBody = async (request: IncomingMessage, limit: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.byteLength;
    // Read a too large body to its end; otherwise the client gets a reset instead of an answer.
    if (size <= limit) chunks.push(bytes);
    else chunks.length = 0;
  }
  if (size > limit) throw new BodyTooLargeError(`a body of ${size} bytes is over the limit of ${limit}`);
  return Buffer.concat(chunks);
};

/**
 * Time after which an idle connection ends: longer than a client keeps one, so that no client sends a request on a
 * connection that is being closed. Browsers keep it for up to five minutes, undici for at most ten; the functions, whose
 * clients know no limit, end after five idle minutes.
 */
const KEEP_ALIVE_MS = 620_000;
/** Time for which a server that closes asks clients to close their connections, as `Connection: close` does. */
const LINGER_MS = 250;

/**
 * Binds a port of the loopback interface before its listener is ready, as the environment of the functions holds the
 * port.
 *
 * @throws PortTakenError
 */
export const openServer = async (options: ServerOptions = {}): Promise<LocalServer> => {
  const { port = 0, setting = 'PORT', maxHeaderBytes } = options;
  /** Responses that have not been sent. */
  const underway = new Set<ServerResponse>();
  let listener: RequestListener = (_request, response) =>
    sendJson(response, 503, { message: 'The service is starting' }, { 'retry-after': '1' });
  let isClosing = false;
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, ...(maxHeaderBytes && { maxHeaderSize: maxHeaderBytes }) },
    (request, response) => {
      if (isClosing) response.shouldKeepAlive = false;
      underway.add(response);
      response.once('close', () => underway.delete(response));
      listener(request, response);
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortTakenError(port, setting) : error),
    );
    server.listen({ port, host: '127.0.0.1' }, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');

  let closing: Promise<void> | undefined;
  const end = async (graceMs: number): Promise<void> => {
    isClosing = true;
    for (const response of underway) response.shouldKeepAlive = false;
    // A request that is on the way is still answered. Closing at once would meet it with a reset.
    await wait(Math.min(LINGER_MS, graceMs));
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // A keep-alive connection that becomes idle after close() would keep the server open.
    const sweep = setInterval(() => server.closeIdleConnections(), 20);
    const cut = setTimeout(() => server.closeAllConnections(), Math.max(0, graceMs - LINGER_MS));
    await closed;
    clearInterval(sweep);
    clearTimeout(cut);
  };
  return {
    port: address.port,
    serve: (next) => {
      listener = next;
    },
    close: (graceMs = 0) => {
      closing ??= end(graceMs);
      return closing;
    },
  };
};
