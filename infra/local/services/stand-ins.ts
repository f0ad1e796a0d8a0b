import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { readBody, sendJson } from '../gateway/server.ts';
import type { Messages } from './messages.ts';

/** Only token that the challenge stand-in accepts. */
export const CHALLENGE_TOKEN = 'local-pass';

const MAX_BODY_BYTES = 1024 * 1024;

const isForm = (request: IncomingMessage): boolean =>
  String(request.headers['content-type']).startsWith('application/x-www-form-urlencoded');

const readJson = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined; // The real services handle it like an empty request.
  }
};

const verification = z
  .object({ secret: z.string().default(''), response: z.string().default('') })
  .catch({ secret: '', response: '' });

/** Stand-in for `siteverify` of Cloudflare Turnstile: accepts a form or JSON. */
export const answerChallenge = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const body = (await readBody(request, MAX_BODY_BYTES)).toString('utf8');
  const asked = verification.parse(
    isForm(request) ? Object.fromEntries(new URLSearchParams(body)) : readJson(body),
  );
  const errors = [
    ...(asked.secret ? [] : ['missing-input-secret']),
    ...(asked.response ? [] : ['missing-input-response']),
    ...(asked.response && asked.response !== CHALLENGE_TOKEN ? ['invalid-input-response'] : []),
  ];
  if (errors.length > 0) return sendJson(response, 200, { success: false, 'error-codes': errors });
  sendJson(response, 200, {
    success: true,
    'error-codes': [],
    challenge_ts: new Date().toISOString(),
    hostname: 'localhost',
    action: '',
    cdata: '',
  });
};

const measurement = z.object({
  client_id: z.string().default(''),
  events: z.array(z.object({ name: z.string(), params: z.record(z.string(), z.unknown()).default({}) })),
});

/** Stand-in for the Measurement Protocol of Google Analytics. Answers 204 to any request. */
export const answerAnalytics = async (
  request: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
  messages: Messages,
): Promise<void> => {
  const body = (await readBody(request, MAX_BODY_BYTES)).toString('utf8');
  const parsed = measurement.safeParse(readJson(body));
  const isComplete = query.has('measurement_id') && query.has('api_secret');
  if (parsed.success && isComplete) {
    for (const { name, params } of parsed.data.events) {
      messages.add({
        kind: 'analytics',
        to: `${query.get('measurement_id')}`,
        subject: name,
        text: JSON.stringify(params, null, 2),
      });
    }
  }
  response.writeHead(204).end();
};
