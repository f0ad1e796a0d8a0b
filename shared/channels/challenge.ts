import * as z from 'zod';
import type { Runtime } from '../runtime.ts';
import { callUpstream } from './upstream.ts';

/** Answer of Cloudflare Turnstile's siteverify. Other fields are not used. */
const verdict = z.object({ success: z.boolean() });

/**
 * Verifies a challenge token with the challenge service (Turnstile's siteverify). The service accepts each token only
 * once.
 *
 * @throws UpstreamDownError
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
