import * as z from 'zod';
import type { Call } from '../api/call.ts';
import { callUpstream, UpstreamDown, upstreamFailed } from './upstream.ts';

/** Cloudflare Turnstile's siteverify answer; what else it holds is for its dashboards. */
const verdict = z.object({ success: z.boolean() });

/**
 * Asks the challenge service whether a token proves a solved challenge (Turnstile's siteverify). It
 * knows a token as used once it has answered yes.
 *
 * @throws HubError upstream_failed
 */
export const verifyChallenge = async (call: Call, token: string): Promise<boolean> => {
  const { HUB_CHALLENGE_URL: address } = call.capability('challenge');
  const { challengeSecret } = await call.secrets();
  const body = new URLSearchParams({ secret: challengeSecret, response: token });
  try {
    return await callUpstream(
      'the challenge service',
      new URL(address),
      { method: 'POST', body },
      async (response) => verdict.parse(await response.json()).success,
    );
  } catch (error) {
    if (error instanceof UpstreamDown) throw upstreamFailed(error);
    throw error;
  }
};
