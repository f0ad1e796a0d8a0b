import { sign } from 'node:crypto';
import { createAuthorize, type Verdict } from '../../functions/authorizer/authorize.ts';
import type { TestBroker } from './brokers.ts';
import type { Request, Response, TestHub } from './hub.ts';
import { bearer } from './people.ts';

export const basic = (id: string, secret: string): { authorization: string } => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

/** Requests an access token with the guid and secret of a broker. */
export const askForAccess = (
  hub: TestHub,
  { guid, secret }: Pick<TestBroker, 'guid' | 'secret'>,
  more: Request = {},
): Promise<Response> =>
  hub.call('POST /oauth/token', {
    headers: basic(guid, secret),
    form: { grant_type: 'client_credentials' },
    ...more,
  });

/** Returns an access token of a broker. */
export const accessOf = async (hub: TestHub, broker: TestBroker): Promise<string> =>
  (await askForAccess(hub, broker)).body.access_token;

/** Returns the gateway's event to the authorizer for a request with this Authorization header. */
export const authorizerEvent = (authorization?: string): unknown => ({
  version: '2.0',
  type: 'REQUEST',
  routeArn: 'arn:aws:execute-api:eu-west-1:123456789012:api/$default/GET/broker/get_user_strategies',
  routeKey: 'GET /broker/get_user_strategies',
  ...(authorization !== undefined && { identitySource: [authorization] }),
  headers: authorization === undefined ? {} : { authorization },
  requestContext: { requestId: 'request-1', http: { sourceIp: '198.51.100.7' } },
});

/** Returns an authorizer of bearer tokens over the hub's runtime. */
export const authorizerOf = (hub: TestHub): ((token: string) => Promise<Verdict>) => {
  const authorize = createAuthorize(hub.runtime);
  return (token) => authorize(authorizerEvent(`Bearer ${token}`));
};

/** Calls the authorizer and then an operation, like the gateway. */
export const readAs = async (
  hub: TestHub,
  token: string,
  routeKey: string,
  query: Record<string, string>,
): Promise<Response> => {
  const verdict = await authorizerOf(hub)(token);
  if (!verdict.isAuthorized) throw new Error('the authorizer refuses the token');
  return hub.call(routeKey, { query, headers: bearer(token), authorized: verdict.context });
};

const encoded = (part: unknown): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');

/** Returns a token of any header and payload (texts stay unchanged), signed by default with a key of the service. */
export const forge = async (
  hub: TestHub,
  { header, payload }: { header: unknown; payload: unknown },
  signature?: (data: Buffer) => Buffer,
): Promise<string> => {
  const { privateKey } = (await hub.runtime.keyRing()).signing;
  const data = `${encoded(header)}.${encoded(payload)}`;
  const signed = signature ? signature(Buffer.from(data)) : sign(null, Buffer.from(data), privateKey);
  return `${data}.${signed.toString('base64url')}`;
};
