import * as z from 'zod';
import { integer, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { suspendedBroker, usedToken, wrongToken } from '../../shared/api/refusals.ts';
import { PARTNERS, verifyPartnerToken } from '../../shared/auth/partner-tokens.ts';
import { findTokenUse } from '../../shared/data/brokers/partner-tokens.ts';

const momentOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

export const validateBToken = defineOperation({
  method: 'GET',
  path: '/validate_b_token',
  name: 'validate_b_token',
  summary: 'Check a partner token',
  description:
    'Checks signature, expiry and use and, with `broker_sub`, the broker and its suspension. A token that fails a check is refused. Checking does not spend the token.',
  caller: 'anyone',
  input: { query: z.object({ token: z.string(), broker_sub: z.string().optional() }) },
  output: z.object({
    valid: z.literal(true),
    partner: z.enum(PARTNERS),
    verified: z.boolean(),
    account_id: z.string().nullable(),
    server_id: integer().nullable(),
    broker_sub_domain: z.string().nullable(),
    broker_name: z.string().nullable(),
    support_email: z.string().nullable(),
    issued_at: timestamp(),
    expires_at: timestamp(),
  }),
  errors: ['partner_token_invalid', 'broker_suspended', 'partner_token_used'],
  table: 'read',
  handler: async ({ query: { token, broker_sub: subdomain } }, call) => {
    const { HUB_PUBLIC_URL: issuer } = call.settings;
    const asked = { partners: PARTNERS, token };
    const claims = await verifyPartnerToken(await call.keyRing(), issuer, asked, call.now);
    if (!claims) throw wrongToken();
    const { broker } = claims;
    if (subdomain !== undefined && subdomain.toLowerCase() !== broker?.sub_domain) throw wrongToken();
    const { used, suspended } = await findTokenUse(call.store, claims.jti, broker?.sub_domain);
    if (suspended) throw suspendedBroker();
    if (used) throw usedToken();
    return {
      valid: true,
      partner: claims.partner,
      verified: claims.verified,
      account_id: claims.account_id ?? null,
      server_id: claims.server_id ?? null,
      broker_sub_domain: broker?.sub_domain ?? null,
      broker_name: broker?.name ?? null,
      support_email: claims.support_email ?? null,
      issued_at: momentOf(claims.iat),
      expires_at: momentOf(claims.exp),
    };
  },
});
