import type { Call } from '../../../shared/api/call.ts';
import { readCookie, writeCookie } from '../../../shared/api/cookies.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { upstreamFailed } from '../../../shared/api/refusals.ts';
import { fingerprint } from '../../../shared/auth/key-ring.ts';
import {
  challengeOf,
  type Journey,
  type PartnerC,
  partnerC,
} from '../../../shared/channels/partner-oauth.ts';
import { UpstreamDownError } from '../../../shared/channels/upstream.ts';
import { STATE_S } from '../../../shared/data/partner-c/states.ts';

const PATH = '/partnerc_auth_callback';

/** Shape of the mark that identifies a returning browser without a session. */
const BROWSER_SECRET = /^[\w-]{43}$/;

const browserSecret = (call: Call): string | undefined => {
  const secret = readCookie(call, 'partnerC');
  return secret !== undefined && BROWSER_SECRET.test(secret) ? secret : undefined;
};

/** Digest of the mark of the returning browser; undefined without one. */
export const knownBrowser = (call: Call): string | undefined => {
  const secret = browserSecret(call);
  return secret && fingerprint(secret);
};

/** Marks the departing browser and returns the digest to keep. Parallel journeys share the mark. */
export const markBrowser = (call: Call): string => {
  const secret = browserSecret(call) ?? call.random(32).toString('base64url');
  writeCookie(call, 'partnerC', secret, STATE_S);
  return fingerprint(secret);
};

/** Redirect address, registered at partner C for our client. */
const redirectUri = ({ settings }: Call): string => `${settings.HUB_PUBLIC_URL}${PATH}`;

/** Tells whether the flow needs a nonce: OpenID Connect does, plain OAuth 2.0 does not. */
const asksForIdToken = (call: Call): boolean =>
  call.capability('partnerc').HUB_PARTNERC_SCOPE.split(' ').includes('openid');

/**
 * Describes a journey to the consent and back. Its secrets are derived from the state under keys of the
 * service. The table holds only a digest of the state, and therefore nothing that could exchange a code.
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

/** Begins a journey with a new state. */
export const beginJourney = async (call: Call): Promise<Journey> => {
  const state = call.random(32).toString('base64url');
  return journeyOf(call, state, (await call.keyRing()).mac('partnerc-pkce', state));
};

/**
 * Resumes a journey at its return. It may have begun before a rotation of keys: the challenge identifies the
 * right key.
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

/** Returns the configured partner C. @throws HubError provider_unknown, upstream_failed */
export const requirePartnerC = async (call: Call): Promise<PartnerC> => {
  const partner = await reaching(() => partnerC(call));
  if (!partner) throw new HubError('provider_unknown', 'Partner C is not set up here.');
  return partner;
};

/** Turns a failing upstream into an error for the caller. @throws HubError upstream_failed */
export const reaching = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UpstreamDownError ? upstreamFailed(error) : error;
  }
};
