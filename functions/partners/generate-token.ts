import * as z from 'zod';
import { invalidSession } from '../../shared/api/authenticate.ts';
import { HubError } from '../../shared/api/errors.ts';
import { integer, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownUser } from '../../shared/api/refusals.ts';
import { signPlatformToken } from '../../shared/auth/platform-tokens.ts';
import { originOf } from '../../shared/callers/origin.ts';
import { activatePlatformToken } from '../../shared/data/users/platform-tokens.ts';
import { noteSecurityEvent } from '../../shared/data/users/security-events.ts';
import { textId } from '../../shared/ids.ts';

const PLATFORM_TOKEN_S = 24 * 3600;

export const generateToken = defineOperation({
  method: 'POST',
  path: '/generate_token',
  name: 'generate_token',
  summary: "Make the user's platform token",
  description:
    'Bearer token for the user’s own programs, accepted as a session for 24 hours and shown once. One token is active at a time: a new one or a password reset ends it. It cannot make another token. A token that was made without a session places no real orders.',
  caller: 'user',
  input: { query: z.object({ user_id: z.string() }) },
  output: z.object({
    token: z.string(),
    token_type: z.literal('bearer'),
    expires_in: integer(),
    issued_at: timestamp(),
    expires_at: timestamp(),
  }),
  errors: ['user_unknown', 'platform_token_insufficient', 'answer_shown_once'],
  table: 'write',
  handler: async ({ query: { user_id: userId } }, call) => {
    if (call.session && call.session.kind !== 'session') {
      throw new HubError(
        'platform_token_insufficient',
        'A platform token cannot make another one: sign in and use that session.',
      );
    }
    const issuedAt = Math.floor(call.now.getTime() / 1000);
    const expiresAt = issuedAt + PLATFORM_TOKEN_S;
    const tokenId = textId(call.random);
    const active = { token_id: tokenId, issued_at: issuedAt, expires_at: expiresAt };
    if (!(await activatePlatformToken(call.store, userId, active, call.session))) {
      throw call.session ? invalidSession() : unknownUser();
    }
    await noteSecurityEvent(call.store, await call.user(), {
      kind: 'platform_token_made',
      ...originOf(call),
      now: call.now,
    });
    call.showOnce();
    const claims = { userId, tokenId, expiresAt, bySession: call.session !== undefined };
    return {
      token: await signPlatformToken(await call.keyRing(), call.settings.HUB_PUBLIC_URL, claims, call.now),
      token_type: 'bearer',
      expires_in: PLATFORM_TOKEN_S,
      issued_at: new Date(issuedAt * 1000).toISOString(),
      expires_at: new Date(expiresAt * 1000).toISOString(),
    };
  },
});
