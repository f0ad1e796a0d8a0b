import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayAnswer } from './response.ts';

/** Milliseconds between two invocations. */
const PAUSE_MS = 1000;

/** Returns whether an answer is a part of an event stream. */
export const isEventStream = ({ status, headers }: GatewayAnswer): boolean =>
  status === 200 && headers['content-type'] === 'text/event-stream';

/** Waits until the next invocation, or until the client disconnects. */
const pause = (left: AbortSignal): Promise<void> =>
  sleep(PAUSE_MS, undefined, { signal: left }).catch((error: unknown) => {
    if (!left.aborted) throw error;
  });

const lastIdIn = ({ body }: GatewayAnswer): string | undefined =>
  [...body.toString().matchAll(/^id: (.*)$/gm)].at(-1)?.[1];

/**
 * Joins the answers of a function to one stream, until the client disconnects. The gateway of AWS ends the stream after
 * the first answer instead.
 *
 * @param resume invokes the function again, for the events after an id.
 */
export const streamAnswers = async (
  response: ServerResponse,
  first: GatewayAnswer,
  extra: OutgoingHttpHeaders,
  resume: (lastId: string) => Promise<GatewayAnswer>,
): Promise<void> => {
  const left = new AbortController();
  response.once('close', () => left.abort());
  response.writeHead(first.status, { ...first.headers, ...extra });
  let lastId: string | undefined;
  for (let part = first; isEventStream(part) && !response.destroyed; ) {
    response.write(part.body);
    lastId = lastIdIn(part) ?? lastId;
    if (lastId === undefined) break;
    await pause(left.signal);
    if (left.signal.aborted) return;
    part = await resume(lastId);
  }
  response.end();
};
