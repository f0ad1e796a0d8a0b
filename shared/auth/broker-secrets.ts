import { fingerprint, sameSecret } from './key-ring.ts';

const FORMAT = /^hub_bs\.([a-z0-9-]{1,63})\.([\w-]{43})$/;
const SECRET_BYTES = 32;

/** How long the secret before the present one still works: brokers change it in many places. */
export const OVERLAP_S = 24 * 3600;

/** What is kept of a broker's secrets: fingerprints, of which no secret can be made. */
export interface BrokerSecrets {
  readonly secret?: string | undefined;
  readonly previous_secret?: { readonly fingerprint: string; readonly valid_until: number } | undefined;
}

/**
 * Makes a broker's secret: 256 random bits after the sub-domain, by which the broker is found. The prefix
 * lets secret scanners know it.
 */
export const newBrokerSecret = (subdomain: string, random: (bytes: number) => Buffer): string =>
  `hub_bs.${subdomain}.${random(SECRET_BYTES).toString('base64url')}`;

/** Whether a bearer is meant as a broker's secret. */
export const isBrokerSecret = (text: string | undefined): text is string =>
  text?.startsWith('hub_bs.') ?? false;

/** The sub-domain that a secret names; undefined for a text that is none. */
export const subdomainOfSecret = (secret: string): string | undefined => FORMAT.exec(secret)?.[1];

/**
 * Which of a broker's secrets was presented, if any. Both are looked at whatever the first says, so that the
 * time tells nothing.
 */
export const matchBrokerSecret = (
  { secret, previous_secret: previous }: BrokerSecrets,
  presented: string,
  now: Date,
): 'present' | 'previous' | undefined => {
  const ours = fingerprint(presented);
  const isPresent = sameSecret(secret ?? '', ours);
  const isPrevious = sameSecret(previous?.fingerprint ?? '', ours);
  if (isPresent) return 'present';
  return isPrevious && (previous?.valid_until ?? 0) * 1000 > now.getTime() ? 'previous' : undefined;
};
