/**
 * Compares the answers of all measured programs: the same requests must have the same status and, if they
 * succeed, the same body. Prints the differences as JSON.
 */
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import { CONTEXT, type Request } from '../support/hub.ts';
import { bundleContestants } from './contestants.ts';
import { gatewayEvent, startRig, USER_ID } from './rig.ts';

const REQUESTS: readonly (readonly [string, Request])[] = [
  ['GET /check_for_token', { query: { user_id: USER_ID } }],
  ['GET /check_for_token', { query: { user_id: 'nobody' } }],
  ['GET /check_for_token', {}],
  ['GET /get_deployment_notifications', { query: { user_id: USER_ID } }],
  ['GET /get_deployment_notifications', { query: { user_id: USER_ID, page: '2', size: '25' } }],
  ['GET /get_deployment_notifications', { query: { user_id: USER_ID, page: '0' } }],
  ['GET /get_deployment_notifications', { query: { user_id: 'nobody' } }],
  ['POST /users', { json: { name: ' Grace  Hopper ', email: 'grace@example.com' } }],
  ['POST /users', { json: { name: 'Grace Hopper', email: 'nonsense' } }],
  ['POST /users', { json: { email: 'grace@example.com' } }],
];

interface Answer {
  readonly statusCode: number;
  readonly body: string;
}

interface Bundle {
  readonly handler: (event: unknown, context: Context) => Promise<Answer>;
}

/** Returns the content of an answer, without the number of a new user. */
const saidBy = ({ statusCode, body }: Answer): unknown =>
  statusCode === 200 ? [statusCode, { ...JSON.parse(body), id: undefined }] : [statusCode];

const rig = await startRig();
Object.assign(process.env, rig.environmentOf('partners'), {
  POWERTOOLS_LOG_LEVEL: 'SILENT',
  POWERTOOLS_METRICS_DISABLED: 'true',
});
const contestants = await bundleContestants(['token', 'page', 'write']);
const differing: unknown[] = [];
let compared = 0;
const handlers = new Map<string, Bundle['handler']>();
for (const { name, file } of contestants) {
  const { handler }: Bundle = await import(pathToFileURL(file).href);
  if (!name.startsWith('bare')) handlers.set(name, handler);
}
for (const [routeKey, request] of REQUESTS) {
  const said = new Map<string, string>();
  for (const [name, handler] of handlers) {
    const answer = await handler(gatewayEvent(routeKey, request), CONTEXT);
    said.set(name, JSON.stringify(saidBy(answer)));
    compared++;
  }
  if (new Set(said.values()).size > 1) differing.push({ routeKey, request, said: Object.fromEntries(said) });
}
await rig[Symbol.asyncDispose]();
console.log(JSON.stringify({ differing, compared }));
// Open connections would keep the process running.
process.exit(0);
