import type { Call } from '../../../../shared/api/call.ts';
import { RawAnswer } from '../../../../shared/api/operation.ts';
import { matchBrokerSecret, subdomainOfSecret } from '../../../../shared/auth/broker-secrets.ts';
import {
  INTEGRATOR_SCOPES,
  INTEGRATOR_TOKEN_S,
  type IntegratorScope,
  READ_SCOPE,
  RISK_SCOPE,
  scopesIn,
  signIntegratorToken,
  WEBHOOKS_SCOPE,
} from '../../../../shared/auth/integrator-tokens.ts';
import { asBroker, type Broker, ownerSubdomain } from '../../../../shared/data/brokers/brokers.ts';
import { type Budget, budgetOf, isSpent, spend } from '../../../../shared/data/table/budgets.ts';
import { keys } from '../../../../shared/data/table/keys.ts';
import { textId } from '../../../../shared/ids.ts';
import { oauthAnswer, oauthRefusal } from '../answers.ts';
import { type ClientCredentials, readClientCredentials } from './client-credentials.ts';
import { type TokenForm, tokenOut } from './token-form.ts';

const MAX_SECRET = 256;

/** Scopes of integrators: a token for kill switches or webhooks reads, too. */
const BROKER_SCOPES = [
  READ_SCOPE,
  `${READ_SCOPE} ${RISK_SCOPE}`,
  `${READ_SCOPE} ${WEBHOOKS_SCOPE}`,
  INTEGRATOR_SCOPES.join(' '),
] as const;

const wrongClient = (): RawAnswer =>
  oauthRefusal(401, 'invalid_client', 'The guid and the secret are not those of a broker.', {
    'www-authenticate': 'Basic realm="strategy-hub"',
  });

const tooManyFailures = ({ endsAt }: Budget, now: Date): RawAnswer =>
  oauthRefusal(429, 'invalid_client', 'Too many failed attempts from this address. Try again later.', {
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
    return oauthRefusal(
      400,
      'unauthorized_client',
      'The broker is suspended. Contact the operator of the service.',
    );
  }
  return { ...broker, guid: broker.guid };
};

/** Issues the access token of a broker. */
export const grantToBroker = async (form: TokenForm, call: Call): Promise<RawAnswer> => {
  const { scope = READ_SCOPE } = form;
  const named = scopesIn(scope);
  if (named.length === 0 || scope.split(' ').length !== named.length) {
    return oauthRefusal(400, 'invalid_scope', `The scope must be ${BROKER_SCOPES.join(', or ')}.`);
  }
  const credentials = readClientCredentials({ ...form, authorization: call.headers.authorization });
  if (credentials === 'unclear') {
    return oauthRefusal(
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
    return oauthRefusal(
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
  return oauthAnswer(200, answer);
};
