import { fingerprint, sameSecret } from './key-ring.ts';

const FORMAT = /^hub_bs\.([a-z0-9-]{1,63})\.([\w-]{43})$/;
const SECRET_BYTES = 32;

/** Time that the previous secret stays valid, as brokers change it in many places. */
export const OVERLAP_S = 24 * 3600;

/** Stored fingerprints of a broker's secrets. A secret cannot be derived from its fingerprint. */
export interface BrokerSecrets {
  readonly secret?: string | undefined;
  readonly previous_secret?: { readonly fingerprint: string; readonly valid_until: number } | undefined;
}

/**
 * Generates a broker's secret: the sub-domain, by which the broker is found, and 256 random bits. The prefix lets
 * secret scanners recognise it.
 */
export const newBrokerSecret = (subdomain: string, random: (bytes: number) => Buffer): string =>
  `hub_bs.${subdomain}.${random(SECRET_BYTES).toString('base64url')}`;

/** Tells by the prefix whether a bearer token is a broker's secret. */
export const isBrokerSecret = (text: string | undefined): text is string =>
  text?.startsWith('hub_bs.') ?? false;

/** Returns the sub-domain in a secret; undefined for any other text. */
export const subdomainOfSecret = (secret: string): string | undefined => FORMAT.exec(secret)?.[1];

/**
 * Matches a presented secret with the two of a broker. Always compares both, so that timing reveals nothing.
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
