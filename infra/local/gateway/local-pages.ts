import type { IncomingMessage, ServerResponse } from 'node:http';
import { COMPONENTS_FILES, COMPONENTS_PAGE, COMPONENTS_POLICY } from '../pages/components-page.ts';
import { MESSAGES_FILES, MESSAGES_POLICY, messagesPage } from '../pages/messages-page.ts';
import type { Messages } from '../services/messages.ts';
import type { PushService } from '../services/push-service.ts';
import { isLocal } from './loopback.ts';
import { sendJson } from './server.ts';

/** Runs a job; undefined for an unknown name. */
type RunJob = (name: string) => Promise<unknown> | undefined;

interface LocalPages {
  readonly messages: Messages;
  readonly pushService: PushService;
  readonly runJob: RunJob;
}

/** Path prefix of pages that only the local engine has. */
export const LOCAL_PREFIX = '/__local/';
/** Required header. A web page cannot send it to another origin without a preflight. */
export const LOCAL_HEADER = 'x-hub-local';

const JOB = /^\/__local\/jobs\/([\w-]+)$/;

const runJobFor = async (name: string, runJob: RunJob, response: ServerResponse): Promise<void> => {
  const run = runJob(name);
  if (!run) return sendJson(response, 404, { message: `There is no job ${name}` });
  try {
    sendJson(response, 200, { result: await run });
  } catch (error) {
    sendJson(response, 500, { message: error instanceof Error ? error.message : String(error) });
  }
};

/** Answers requests under LOCAL_PREFIX, only from programs on this machine. */
export const answerLocally = async (
  { messages, pushService, runJob }: LocalPages,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  request.resume();
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  if (!isLocal(request)) return sendJson(response, 403, { message: 'Forbidden' });
  const path = (request.url ?? '').split('?')[0] ?? '';
  const job = JOB.exec(path)?.[1];
  const subscribes = path === `${LOCAL_PREFIX}push-subscription`;
  if (request.method === 'POST' && (subscribes || job !== undefined)) {
    if (request.headers[LOCAL_HEADER] === undefined) return sendJson(response, 403, { message: 'Forbidden' });
    if (job === undefined) return sendJson(response, 200, pushService.subscribe());
    return runJobFor(job, runJob, response);
  }
  if (request.method === 'GET' && path === `${LOCAL_PREFIX}messages.json`) {
    return sendJson(response, 200, { items: messages.list() });
  }
  if (request.method === 'GET' && path === `${LOCAL_PREFIX}messages`) {
    response.setHeader('content-security-policy', MESSAGES_POLICY);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(messagesPage(messages.list()));
    return;
  }
  if (request.method === 'GET' && path === `${LOCAL_PREFIX}components`) {
    response.setHeader('content-security-policy', COMPONENTS_POLICY);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(COMPONENTS_PAGE);
    return;
  }
  const name = path.startsWith(LOCAL_PREFIX) ? path.slice(LOCAL_PREFIX.length) : '';
  const file = MESSAGES_FILES.get(name) ?? COMPONENTS_FILES.get(name);
  if (request.method === 'GET' && file) {
    response.setHeader('content-type', file.type);
    response.end(await file.content());
    return;
  }
  sendJson(response, 404, { message: 'Not Found' });
};
