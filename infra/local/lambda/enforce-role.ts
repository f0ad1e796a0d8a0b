import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import * as z from 'zod';
import type { AwsCall, Need } from '../../roles/needs.ts';
import { deniedMessage, type Role } from '../../roles/role.ts';
import { ACCOUNT } from '../account.ts';

/** The credential of an AWS signature: access key, date, region, service. */
const SIGNATURE = /^AWS4-HMAC-SHA256 Credential=[^/]*\/\d+\/(?<region>[^/]+)\/(?<service>[^/]+)\//;

const rest: Readonly<Record<string, string>> = {
  'POST /v2/email/outbound-emails': 'SendEmail',
  'GET /v2/email/account': 'GetAccount',
};

const created = z.object({ request: z.custom<ClientRequest>((value) => typeof value === 'object') });

/** Returns the operation and the input of a call, in the protocol of its service. */
const readCall = (request: ClientRequest, body: string): Pick<AwsCall, 'operation' | 'input'> => {
  const target = request.getHeader('x-amz-target');
  const parsed = (): unknown => JSON.parse(body || '{}');
  if (typeof target === 'string') return { operation: target.split('.').at(-1) ?? target, input: parsed() };
  const known = rest[`${request.method} ${request.path.split('?')[0]}`];
  if (known !== undefined) return { operation: known, input: parsed() };
  const form = Object.fromEntries(new URLSearchParams(body));
  return { operation: form.Action ?? `${request.method} ${request.path}`, input: form };
};

interface Answer {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Refuses in the protocol of the service. The SDK does not try again. */
const answerOf = (service: string, message: string): Answer =>
  service === 'sns'
    ? {
        statusCode: 403,
        headers: { 'content-type': 'text/xml' },
        body: `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type><Code>AuthorizationError</Code><Message>${message}</Message></Error></ErrorResponse>`,
      }
    : {
        statusCode: service === 'ses' ? 403 : 400,
        headers: { 'content-type': 'application/json', 'x-amzn-errortype': 'AccessDeniedException' },
        body: JSON.stringify({ __type: 'AccessDeniedException', message }),
      };

interface EnforceOptions {
  readonly role: Role;
  /** Name of the function, for the message. */
  readonly functionName: string;
  /** Called with each permission that a call lacks. */
  readonly onDenied: (need: Need) => void;
}

/**
 * Lets this process make only those AWS calls that a role allows. It looks at every request of Node's HTTP client that
 * has an AWS signature, just before its end is sent, so that no client of a bundle can leave it out. A refused request
 * gets the answer of the service from here.
 */
export const enforceRole = ({ role, functionName, onDenied }: EnforceOptions): void => {
  const check = (request: ClientRequest, body: string): Answer | undefined => {
    const signed = SIGNATURE.exec(String(request.getHeader('authorization') ?? ''))?.groups;
    if (!signed) return undefined;
    const { region = '', service = '' } = signed;
    const call = { service, region, account: ACCOUNT, ...readCall(request, body) };
    const need = role.lacks(call);
    if (!need) return undefined;
    onDenied(need);
    return answerOf(service, deniedMessage(functionName, need, ACCOUNT));
  };

  subscribe('http.client.request.created', (message) => {
    const { request } = created.parse(message);
    const { write, end } = request;
    const chunks: Buffer[] = [];
    const collect = (chunk: unknown): void => {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    };
    request.write = (chunk: unknown, ...more: unknown[]) => {
      collect(chunk);
      return Reflect.apply(write, request, [chunk, ...more]);
    };
    request.end = (chunk?: unknown, ...more: unknown[]) => {
      // Node's own `end` may call `write`.
      const written = chunks.length;
      collect(chunk);
      const refused = check(request, Buffer.concat(chunks).toString('utf8'));
      if (!refused) {
        chunks.length = written;
        return Reflect.apply(end, request, [chunk, ...more]);
      }
      const { statusCode, headers, body } = refused;
      request.emit('response', Object.assign(Readable.from([Buffer.from(body)]), { statusCode, headers }));
      request.destroy();
      return request;
    };
  });
};
