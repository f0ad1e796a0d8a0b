import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';

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
 * Binds a port of the loopback interface before its listener is ready, as the environment of the functions holds the
 * port.
 *
 * @throws PortTakenError
 */
export const openServer = async (options: ServerOptions = {}): Promise<LocalServer> => {
  const { port = 0, setting = 'PORT', maxHeaderBytes } = options;
  let listener: RequestListener = (_request, response) =>
    sendJson(response, 503, { message: 'The service is starting' }, { 'retry-after': '1' });
  const server = createServer({ ...(maxHeaderBytes && { maxHeaderSize: maxHeaderBytes }) }, (...both) =>
    listener(...both),
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
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // A keep-alive connection that becomes idle after close() would keep the server open.
    const sweep = setInterval(() => server.closeIdleConnections(), 20);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
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
