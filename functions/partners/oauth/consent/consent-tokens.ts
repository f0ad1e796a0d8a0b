import * as z from 'zod';
import type { Call } from '../../../../shared/api/call.ts';
import { HubError } from '../../../../shared/api/errors.ts';
import { signToken, type TokenKind, verifyToken } from '../../../../shared/auth/signed-token.ts';
import { ASSISTANT_SCOPES } from '../../../../shared/domain/scopes.ts';

const KIND: TokenKind = { type: 'consent+jwt', audience: 'oauth-consent', required: ['sub', 'sid'] };

/** Seconds for which a checked request can be approved. */
const CONSENT_S = 600;

/** Request of an assistant that was checked and shown to a user, who may approve it in the same session. */
const checked = z.object({
  sub: z.string(),
  sid: z.string(),
  client: z.string(),
  name: z.string(),
  host: z.string().optional(),
  redirect: z.string(),
  state: z.string().optional(),
  scopes: z.array(z.enum(ASSISTANT_SCOPES)),
  challenge: z.string(),
  resource: z.string(),
});

type Checked = z.output<typeof checked>;

/** Signs a checked request, so that what is approved is what was shown. */
export const signConsent = async (call: Call, claims: Checked): Promise<string> => {
  const expiresAt = Math.floor(call.now.getTime() / 1000) + CONSENT_S;
  const { HUB_PUBLIC_URL: issuer } = call.settings;
  return signToken(await call.keyRing(), issuer, KIND, { claims, expiresAt }, call.now);
};

/** Reads a request that was shown in a session. @throws HubError state_conflict */
export const readConsent = async (
  call: Call,
  { userId, sid, token }: { readonly userId: string; readonly sid: string; readonly token: string },
): Promise<Checked> => {
  const { HUB_PUBLIC_URL: issuer } = call.settings;
  const claims = checked.safeParse(await verifyToken(await call.keyRing(), issuer, KIND, token, call.now));
  if (claims.success && claims.data.sub === userId && claims.data.sid === sid) return claims.data;
  throw new HubError(
    'state_conflict',
    'This request was not shown in this session, or more than ten minutes ago. Go back to the app and connect it again.',
  );
};
