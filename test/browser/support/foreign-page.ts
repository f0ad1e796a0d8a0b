import { createServer } from 'node:http';

/** A web page of another origin. */
export interface ForeignPage extends AsyncDisposable {
  readonly url: string;
}

/** Serves an empty page at a host of this machine. */
export const foreignPage = async (host: 'localhost' | '127.0.0.1'): Promise<ForeignPage> => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Elsewhere</title><link rel="icon" href="data:,"><h1>Elsewhere</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return {
    url: `http://${host}:${address.port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
