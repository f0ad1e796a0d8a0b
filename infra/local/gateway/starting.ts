import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { MESSAGES_FILES } from '../pages/messages-page.ts';
import { STARTING_POLICY, STARTING_STYLES, type StartStep, startingPage } from '../pages/starting-page.ts';
import { LOCAL_PREFIX } from './local-pages.ts';
import { sendJson } from './server.ts';

/** Steps of the start, and the answers until it is over. */
interface Starting {
  /** Names the step that begins. */
  readonly begin: (name: string) => void;
  /** Answers that the service is starting: a page for browsers, JSON for others. */
  readonly listener: RequestListener;
}

/** Seconds after which a client may try again. */
const RETRY_AFTER = { 'retry-after': '1' };

const acceptsPage = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html');

const sendStyles = async (response: ServerResponse): Promise<void> => {
  const styles = MESSAGES_FILES.get(STARTING_STYLES);
  if (!styles) throw new Error(`there is no file ${STARTING_STYLES}`);
  const content = await styles.content();
  response.writeHead(200, { 'content-type': styles.type }).end(content);
};

/** Follows the steps of the start, and answers requests until the service is ready. */
export const createStarting = (): Starting => {
  const begun: { readonly name: string; readonly at: number }[] = [];

  const steps = (now: number): StartStep[] =>
    begun.map(({ name, at }, index) => ({ name, seconds: ((begun[index + 1]?.at ?? now) - at) / 1000 }));

  const sendPage = (response: ServerResponse): void => {
    response.writeHead(503, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': STARTING_POLICY,
      ...RETRY_AFTER,
    });
    response.end(startingPage(steps(performance.now())));
  };

  return {
    begin: (name) => begun.push({ name, at: performance.now() }),
    listener: (request, response) => {
      request.resume();
      response.setHeader('cache-control', 'no-store');
      response.setHeader('x-content-type-options', 'nosniff');
      if (request.url === `${LOCAL_PREFIX}${STARTING_STYLES}`) {
        sendStyles(response).catch((error: Error) => response.destroy(error));
        return;
      }
      if (acceptsPage(request)) return sendPage(response);
      const step = begun.at(-1)?.name ?? '';
      const body = { status: 'starting', code: 'unavailable', detail: `The service is starting: ${step}.` };
      sendJson(response, 503, body, RETRY_AFTER);
    },
  };
};
