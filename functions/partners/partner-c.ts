import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { readCookie, writeCookie } from '../../shared/auth/cookies.ts';
import { fingerprint } from '../../shared/auth/key-ring.ts';
import { challengeOf, type Journey, type PartnerC, partnerC } from '../../shared/channels/partner-oauth.ts';
import { UpstreamDown, upstreamFailed } from '../../shared/channels/upstream.ts';
import { STATE_S } from '../../shared/data/partner-c/states.ts';

const PATH = '/partnerc_auth_callback';

/** By which the browser is known again that went without a session. */
const BROWSER_SECRET = /^[\w-]{43}$/;

const browserSecret = (call: Call): string | undefined => {
  const secret = readCookie(call, 'partnerC');
  return secret !== undefined && BROWSER_SECRET.test(secret) ? secret : undefined;
};

/** What is kept of the browser that comes back; undefined where it does not say. */
export const knownBrowser = (call: Call): string | undefined => {
  const secret = browserSecret(call);
  return secret && fingerprint(secret);
};

/** Marks the browser that goes, and answers with what is kept of it. Several ways at once share the mark. */
export const markBrowser = (call: Call): string => {
  const secret = browserSecret(call) ?? call.random(32).toString('base64url');
  writeCookie(call, 'partnerC', secret, STATE_S);
  return fingerprint(secret);
};

/** Where partner C sends people back to; registered there for our client. */
const redirectUri = ({ settings }: Call): string => `${settings.HUB_PUBLIC_URL}${PATH}`;

/** OpenID Connect binds its ID token by a nonce; plain OAuth 2.0 has none. */
const asksForIdToken = (call: Call): boolean =>
  call.capability('partnerc').HUB_PARTNERC_SCOPE.split(' ').includes('openid');

/**
 * A journey to the consent and back. What is secret of it is derived from its state under keys of the
 * service, so that the table, which knows only a digest of the state, holds nothing to exchange a code with.
 */
const journeyOf = (call: Call, state: string, verifier: Buffer): Journey => {
  const proof = verifier.toString('base64url');
  return {
    redirectUri: redirectUri(call),
    state,
    verifier: proof,
    nonce: asksForIdToken(call) ? fingerprint(`nonce ${proof}`) : undefined,
  };
};

/** Begins a journey under a fresh state. */
export const beginJourney = async (call: Call): Promise<Journey> => {
  const state = call.random(32).toString('base64url');
  return journeyOf(call, state, (await call.keyRing()).mac('partnerc-pkce', state));
};

/**
 * Takes a journey up again where it comes back. Its beginning may lie before a rotation of keys: the right
 * one is known by its challenge.
 */
export const resumeJourney = async (
  call: Call,
  state: string,
  challenge: string,
): Promise<Journey | undefined> => {
  for (const verifier of (await call.keyRing()).macs('partnerc-pkce', state)) {
    const journey = journeyOf(call, state, verifier);
    if ((await challengeOf(journey.verifier)) === challenge) return journey;
  }
  return undefined;
};

/** Partner C, as configured. @throws HubError provider_unknown, upstream_failed */
export const requirePartnerC = async (call: Call): Promise<PartnerC> => {
  const partner = await reaching(() => partnerC(call));
  if (!partner) throw new HubError('provider_unknown', 'Partner C is not set up here.');
  return partner;
};

/** Tells the caller of an upstream that is down. @throws HubError upstream_failed */
export const reaching = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UpstreamDown ? upstreamFailed(error) : error;
  }
};
