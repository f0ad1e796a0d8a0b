import * as z from 'zod';
import type { KeyRing } from './key-ring.ts';
import { signToken, type TokenKind, verifyToken } from './signed-token.ts';

/** Partners whose users sign in with a token of this service. */
export const PARTNERS = ['a', 'b'] as const;

export type Partner = (typeof PARTNERS)[number];

/** Lifetime of a partner token, in seconds. */
export const PARTNER_TOKEN_S = 600;

const kindOf = (partner: Partner): TokenKind => ({
  type: `partner-${partner}+jwt`,
  audience: `partner-${partner}`,
  required: ['jti', 'verified'],
});

const broker = z.object({ broker_id: z.number(), name: z.string(), sub_domain: z.string() });

const claimsSchema = z.object({
  jti: z.string(),
  iat: z.number(),
  exp: z.number(),
  /** True if the token was requested with the broker's secret. */
  verified: z.boolean(),
  broker: broker.optional(),
  account_id: z.string().optional(),
  server_id: z.number().optional(),
  support_email: z.string().optional(),
});

/** Claims of a partner token. They name an account at a broker and tell whether the broker confirmed it. */
export type PartnerClaims = z.output<typeof claimsSchema> & { readonly partner: Partner };

export const signPartnerToken = (
  ring: KeyRing,
  issuer: string,
  { partner, exp, ...claims }: Omit<PartnerClaims, 'iat'>,
  now: Date,
): Promise<string> => signToken(ring, issuer, kindOf(partner), { claims, expiresAt: exp }, now);

/**
 * Verifies a partner token. The caller must check in the table that it was not used before.
 *
 * @returns undefined for a token with a wrong signature, an expired one, or one of another partner.
 */
export const verifyPartnerToken = async (
  ring: KeyRing,
  issuer: string,
  { partners, token }: { partners: readonly Partner[]; token: string },
  now: Date,
): Promise<PartnerClaims | undefined> => {
  for (const partner of partners) {
    const payload = await verifyToken(ring, issuer, kindOf(partner), token, now);
    const claims = claimsSchema.safeParse(payload);
    if (claims.success) return { ...claims.data, partner };
  }
  return undefined;
};
