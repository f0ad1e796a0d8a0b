import * as z from 'zod';
import type { Call } from '../../../shared/api/call.ts';
import { integer, storedInteger, timestamp } from '../../../shared/api/fields.ts';
import { unknownBroker, wrongSecret } from '../../../shared/api/refusals.ts';
import { PARTNER_TOKEN_S, type Partner, signPartnerToken } from '../../../shared/auth/partner-tokens.ts';
import { type Broker, findBroker } from '../../../shared/data/brokers/brokers.ts';
import { textId } from '../../../shared/ids.ts';
import { provenBroker } from './broker-secret.ts';

/** Parameters that name an account at a broker. */
export const accountQuery = {
  account_id: z.string().min(1).max(64).optional(),
  server_id: storedInteger().optional(),
  broker_sub_domain: z.string().max(253).optional(),
} as const;

export const partnerTokenOut = z.object({
  token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: integer(),
  expires_at: timestamp(),
  /** True if the call had the broker's secret. Only then can the token sign a user in. */
  verified: z.boolean(),
  broker_sub_domain: z.string().nullable(),
});

interface Asked {
  readonly account_id?: string | undefined;
  readonly server_id?: number | undefined;
  readonly broker_sub_domain?: string | undefined;
  readonly support_email?: string | undefined;
}

/** Finds the broker to name in a token, and whether the broker itself requests it. */
const brokerOf = async (
  call: Call,
  subdomain: string | undefined,
): Promise<{ broker: Broker | undefined; verified: boolean }> => {
  const proven = await provenBroker(call);
  if (proven) {
    if (subdomain !== undefined && subdomain.toLowerCase() !== proven.broker.subdomain) throw wrongSecret();
    return { broker: proven.broker, verified: true };
  }
  if (subdomain === undefined) return { broker: undefined, verified: false };
  const broker = await findBroker(call.store, subdomain);
  if (!broker) throw unknownBroker();
  return { broker, verified: false };
};

/** Makes a token of a partner. @throws HubError broker_secret_invalid, broker_suspended, broker_unknown */
export const makePartnerToken = async (
  call: Call,
  partner: Partner,
  asked: Asked,
): Promise<z.output<typeof partnerTokenOut>> => {
  const { broker, verified } = await brokerOf(call, asked.broker_sub_domain);
  const exp = Math.floor(call.now.getTime() / 1000) + PARTNER_TOKEN_S;
  const claims = {
    partner,
    jti: textId(call.random),
    exp,
    verified,
    broker: broker && { broker_id: broker.broker_id, name: broker.name, sub_domain: broker.subdomain },
    account_id: asked.account_id,
    server_id: asked.server_id,
    support_email: asked.support_email,
  };
  return {
    token: await signPartnerToken(await call.keyRing(), call.settings.HUB_PUBLIC_URL, claims, call.now),
    token_type: 'bearer',
    expires_in: PARTNER_TOKEN_S,
    expires_at: new Date(exp * 1000).toISOString(),
    verified,
    broker_sub_domain: broker?.subdomain ?? null,
  };
};
