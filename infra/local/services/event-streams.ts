import type { IncomingMessage, ServerResponse } from 'node:http';
import { DOMAIN_EVENTS } from '../../../shared/data/deployments/domain-events.ts';
import { HUB_SOURCE } from '../../../shared/domain/deployments/event-source.ts';
import { sendJson } from '../gateway/server.ts';
import type { BusEvent } from './bus-event.ts';
import { nearestName, printable } from './event-names.ts';

/** Streams of the hub's events to engines on this machine. */
export interface EventStreams {
  /** Answers `GET /events` with Server-Sent Events. `detail-type`, also repeated, selects the events. */
  readonly open: (request: IncomingMessage, response: ServerResponse) => void;
  readonly send: (event: BusEvent) => void;
  readonly close: () => void;
}

/** Interval of comments that keep a quiet stream alive. */
const KEEP_ALIVE_MS = 15_000;
/** A client that leaves more bytes unread is disconnected. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

const refuse = (response: ServerResponse, status: number, message: string): void =>
  sendJson(response, status, { message });

const unknownType = (type: string): string =>
  `The hub sends engines no event "${printable(type)}". Did you mean "${nearestName(type, DOMAIN_EVENTS)}"?`;

/** Makes the streams. An event reaches the clients that are connected; the bus keeps none for later ones. */
export const createEventStreams = (): EventStreams => {
  const clients = new Map<ServerResponse, ReadonlySet<string>>();

  const write = (response: ServerResponse, text: string): void => {
    response.write(text);
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
  };
  const beat = setInterval(() => {
    for (const response of clients.keys()) write(response, ':\n\n');
  }, KEEP_ALIVE_MS);
  beat.unref();

  return {
    open: (request, response) => {
      request.resume();
      const { pathname = '', searchParams = new URLSearchParams() } =
        URL.parse(request.url ?? '', 'http://bus') ?? {};
      if (pathname !== '/events') return refuse(response, 404, 'Not Found. GET /events streams events.');
      const other = [...searchParams.keys()].find((name) => name !== 'detail-type');
      if (other !== undefined) {
        return refuse(response, 400, `There is no parameter "${printable(other)}", only detail-type.`);
      }
      const types: ReadonlySet<string> = new Set(searchParams.getAll('detail-type'));
      const known: ReadonlySet<string> = new Set(DOMAIN_EVENTS);
      const [unknown] = types.difference(known);
      if (unknown !== undefined) return refuse(response, 400, unknownType(unknown));
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      response.flushHeaders();
      clients.set(response, types.size > 0 ? types : known);
      response.once('close', () => clients.delete(response));
    },
    send: (event) => {
      if (event.source !== HUB_SOURCE) return;
      for (const [response, types] of clients) {
        if (types.has(event['detail-type'])) write(response, `data: ${JSON.stringify(event)}\n\n`);
      }
    },
    close: () => {
      clearInterval(beat);
      for (const response of clients.keys()) response.end();
    },
  };
};
