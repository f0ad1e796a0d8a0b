import * as z from 'zod';
import type { Runtime } from '../runtime.ts';
import { callUpstream } from './upstream.ts';

/** Cloudflare Turnstile's siteverify answer; what else it holds is for its dashboards. */
const verdict = z.object({ success: z.boolean() });

/**
 * Asks the challenge service whether a token proves a solved challenge (Turnstile's siteverify). It
 * knows a token as used once it has answered yes.
 *
 * @throws UpstreamDown
 */
export const verifyChallenge = async (runtime: Runtime, token: string): Promise<boolean> => {
  const { HUB_CHALLENGE_URL: address } = runtime.capability('challenge');
  const { challengeSecret } = await runtime.secrets();
  const body = new URLSearchParams({ secret: challengeSecret, response: token });
  return callUpstream(
    'the challenge service',
    new URL(address),
    { method: 'POST', body },
    async (response) => verdict.parse(await response.json()).success,
  );
};
