import { bearerOf } from '../../../shared/api/authenticate.ts';
import type { Call } from '../../../shared/api/call.ts';
import { suspendedBroker, wrongSecret } from '../../../shared/api/refusals.ts';
import {
  isBrokerSecret,
  matchBrokerSecret,
  newBrokerSecret,
  OVERLAP_S,
  subdomainOfSecret,
} from '../../../shared/auth/broker-secrets.ts';
import { fingerprint } from '../../../shared/auth/key-ring.ts';
import { type Broker, findBroker } from '../../../shared/data/brokers/brokers.ts';

/** Broker that presented a valid secret. */
export interface ProvenBroker {
  readonly broker: Broker;
  /** Fingerprint of the current secret. */
  readonly secret: string;
  /** True if the current secret was presented, and not the previous one. */
  readonly isPresent: boolean;
}

/**
 * Finds the broker whose secret is the bearer; undefined without a bearer. A wrong bearer is refused,
 * whatever else the call has.
 *
 * @throws HubError broker_secret_invalid, broker_suspended
 */
export const provenBroker = async (call: Call): Promise<ProvenBroker | undefined> => {
  if (call.headers.authorization === undefined) return undefined;
  const presented = bearerOf(call.headers);
  const subdomain = isBrokerSecret(presented) ? subdomainOfSecret(presented) : undefined;
  if (presented === undefined || subdomain === undefined) throw wrongSecret();
  const broker = await findBroker(call.store, subdomain);
  const match = matchBrokerSecret(broker ?? {}, presented, call.now);
  if (!broker || broker.secret === undefined || !match) throw wrongSecret();
  if (broker.suspended_at !== undefined) throw suspendedBroker();
  return { broker, secret: broker.secret, isPresent: match === 'present' };
};

/** Makes a secret: the text to show once, and the record to keep. */
export const freshSecret = (
  call: Call,
  subdomain: string,
): { secret: string; kept: { secret: string; secret_since: string } } => {
  call.showOnce();
  const secret = newBrokerSecret(subdomain, call.random);
  return { secret, kept: { secret: fingerprint(secret), secret_since: call.now.toISOString() } };
};

/** Keeps the replaced secret valid for a while. */
export const overlapping = ({ now }: Call, fingerprintBefore: string) => ({
  fingerprint: fingerprintBefore,
  valid_until: Math.floor(now.getTime() / 1000) + OVERLAP_S,
});
