import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { extensionRecord, integer } from '../../shared/api/fields.ts';
import { defineOperation, RawAnswer } from '../../shared/api/operation.ts';
import { matchBrokerSecret, subdomainOfSecret } from '../../shared/auth/broker-secrets.ts';
import {
  INTEGRATOR_SCOPES,
  INTEGRATOR_TOKEN_S,
  type IntegratorScope,
  READ_SCOPE,
  RISK_SCOPE,
  scopesIn,
  signIntegratorToken,
  WEBHOOKS_SCOPE,
} from '../../shared/auth/integrator-tokens.ts';
import { asBroker, type Broker, ownerSubdomain } from '../../shared/data/brokers/brokers.ts';
import { type Budget, budgetOf, isSpent, spend } from '../../shared/data/table/budgets.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { textId } from '../../shared/ids.ts';
import { type ClientCredentials, readClientCredentials } from './common/client-credentials.ts';

const MAX_SECRET = 256;

/** A token for kill switches or webhooks reads, too. */
const SCOPES = [
  READ_SCOPE,
  `${READ_SCOPE} ${RISK_SCOPE}`,
  `${READ_SCOPE} ${WEBHOOKS_SCOPE}`,
  INTEGRATOR_SCOPES.join(' '),
] as const;

const tokenOut = extensionRecord(
  'AccessToken',
  z.object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: integer(),
    scope: z.enum(SCOPES),
  }),
);

const oauthError = extensionRecord(
  'OAuthError',
  z.object({
    error: z.enum([
      'invalid_request',
      'invalid_client',
      'unauthorized_client',
      'unsupported_grant_type',
      'invalid_scope',
    ]),
    error_description: z.string(),
  }),
);

type OAuthError = z.output<typeof oauthError>['error'];

/** RFC 6749, sections 5.1 and 5.2. */
const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store', pragma: 'no-cache' };

const refusal = (
  status: 400 | 401 | 429,
  error: OAuthError,
  description: string,
  headers: Readonly<Record<string, string>> = {},
): RawAnswer => {
  const body = oauthError.parse({ error, error_description: description });
  return new RawAnswer(status, { ...HEADERS, ...headers }, JSON.stringify(body));
};

const wrongClient = (): RawAnswer =>
  refusal(401, 'invalid_client', 'The guid and the secret are not those of a broker.', {
    'www-authenticate': 'Basic realm="strategy-hub"',
  });

const tooManyFailures = ({ endsAt }: Budget, now: Date): RawAnswer =>
  refusal(429, 'invalid_client', 'Too many failed attempts from this address. Try again later.', {
    'retry-after': String(Math.max(1, Math.ceil((endsAt - now.getTime()) / 1000))),
  });

/**
 * Finds the broker of a guid and a secret, or the refusal. An unknown guid costs the same calls and time as a
 * wrong secret.
 */
const authenticate = async (
  call: Call,
  { clientId, secret }: ClientCredentials,
): Promise<(Broker & { guid: string }) | RawAnswer> => {
  const { store, now } = call;
  // Not per client only: its id is public, and strangers could lock the client out.
  const subject = [clientId.toLowerCase(), call.network];
  const failures = budgetOf(await call.keyRing(), 'token_client', subject, now);
  const [named, found, counter] = await store.getMany(
    [keys.brokerGuid(clientId), keys.broker(subdomainOfSecret(secret) ?? ''), failures.key],
    { consistent: true },
  );
  if (isSpent(counter, failures)) return tooManyFailures(failures, now);
  const broker = asBroker(found);
  const match = matchBrokerSecret(broker ?? {}, secret.slice(0, MAX_SECRET), now);
  if (!match || broker?.guid === undefined || ownerSubdomain(named) !== broker.subdomain) {
    await spend(store, failures);
    return wrongClient();
  }
  if (broker.suspended_at !== undefined) {
    return refusal(
      400,
      'unauthorized_client',
      'The broker is suspended. Contact the operator of the service.',
    );
  }
  return { ...broker, guid: broker.guid };
};

export const oauthToken = defineOperation({
  method: 'POST',
  path: '/oauth/token',
  name: 'oauth_token',
  summary: 'Get an access token for the operations under /broker',
  description:
    'OAuth 2.0 client credentials (RFC 6749, section 4.4): the broker’s guid is the client id, its secret the client secret, by HTTP Basic or in the form. The token is valid for an hour. The scope `broker:risk` needs the grant of the operator, `broker:webhooks` does not. Ten failed attempts from an address in 15 minutes lead to 429.',
  caller: 'anyone',
  credential: ({ headers: { authorization }, form }) => {
    const client = readClientCredentials({ ...form, authorization });
    return typeof client === 'string' ? undefined : JSON.stringify([client.clientId, client.secret]);
  },
  extension: true,
  input: {
    form: z.object({
      grant_type: z
        .string()
        .meta({ enum: ['client_credentials'] })
        .optional(),
      scope: z
        .string()
        .meta({ enum: [...SCOPES] })
        .optional(),
      client_id: z.string().optional(),
      client_secret: z.string().optional(),
    }),
  },
  output: tokenOut,
  answers: {
    400: { description: 'The request, the grant type or the scope is not valid', schema: oauthError },
    401: { description: 'No broker has this guid and secret', schema: oauthError },
    429: { description: 'Too many failed attempts', schema: oauthError },
  },
  errors: ['answer_shown_once'],
  table: 'write',
  handler: async ({ form }, call) => {
    const { grant_type: grant, scope = READ_SCOPE } = form;
    if (grant === undefined) {
      return refusal(400, 'invalid_request', 'grant_type is missing: send a form with client_credentials.');
    }
    if (grant !== 'client_credentials') {
      return refusal(400, 'unsupported_grant_type', 'The grant_type must be client_credentials.');
    }
    const named = scopesIn(scope);
    if (named.length === 0 || scope.split(' ').length !== named.length) {
      return refusal(400, 'invalid_scope', `The scope must be ${SCOPES.join(', or ')}.`);
    }
    const credentials = readClientCredentials({ ...form, authorization: call.headers.authorization });
    if (credentials === 'unclear') {
      return refusal(
        400,
        'invalid_request',
        'Send the guid and the secret either in the header or in the form.',
      );
    }
    if (credentials === 'none') return wrongClient();
    const broker = await authenticate(call, credentials);
    if (broker instanceof RawAnswer) return broker;
    const asksForRisk = named.includes(RISK_SCOPE);
    if (asksForRisk && broker.risk_granted_at === undefined) {
      return refusal(
        400,
        'invalid_scope',
        `The operator of the service has not granted ${RISK_SCOPE} to this broker.`,
      );
    }
    const scopes: readonly IntegratorScope[] = INTEGRATOR_SCOPES.filter(
      (one) => one === READ_SCOPE || named.includes(one),
    );
    call.showOnce();
    const ring = await call.keyRing();
    const integrator = { ...broker, tokenId: textId(call.random), scopes };
    const token = await signIntegratorToken(ring, call.settings.HUB_PUBLIC_URL, integrator, call.now);
    const answer = tokenOut.parse({
      access_token: token,
      token_type: 'Bearer',
      expires_in: INTEGRATOR_TOKEN_S,
      scope: scopes.join(' '),
    });
    return new RawAnswer(200, HEADERS, JSON.stringify(answer));
  },
});
