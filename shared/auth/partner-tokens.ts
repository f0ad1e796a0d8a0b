import * as z from 'zod';
import type { KeyRing } from './key-ring.ts';
import { signToken, type TokenKind, verifyToken } from './signed-token.ts';

/** The partners whose users come with a token of ours. */
export const PARTNERS = ['a', 'b'] as const;

export type Partner = (typeof PARTNERS)[number];

/** Seconds that a partner token is valid. */
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
  /** Whether the broker's secret was presented when the token was made. */
  verified: z.boolean(),
  broker: broker.optional(),
  account_id: z.string().optional(),
  server_id: z.number().optional(),
  support_email: z.string().optional(),
});

/** What a partner token says: an account at a broker, and whether the broker itself said so. */
export type PartnerClaims = z.output<typeof claimsSchema> & { readonly partner: Partner };

/** Signs a partner token. */
export const signPartnerToken = (
  ring: KeyRing,
  issuer: string,
  { partner, exp, ...claims }: Omit<PartnerClaims, 'iat'>,
  now: Date,
): Promise<string> => signToken(ring, issuer, kindOf(partner), { claims, expiresAt: exp }, now);

/**
 * Verifies a partner token; undefined for one that we did not sign, that is over, or that is not of these
 * partners. Whether it was used, only the table knows.
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
