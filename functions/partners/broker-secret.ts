import type { Call } from '../../shared/api/call.ts';
import { bearerOf } from '../../shared/auth/authenticate.ts';
import {
  isBrokerSecret,
  matchBrokerSecret,
  newBrokerSecret,
  OVERLAP_S,
  subdomainOfSecret,
} from '../../shared/auth/broker-secrets.ts';
import { fingerprint } from '../../shared/auth/key-ring.ts';
import { type Broker, findBroker } from '../../shared/data/brokers/brokers.ts';
import { suspendedBroker, wrongSecret } from './refusals.ts';

/** A broker that proved itself with its secret. */
export interface ProvenBroker {
  readonly broker: Broker;
  /** The secret that works now: its fingerprint. */
  readonly secret: string;
  /** Whether it was that one, and not the one before. */
  readonly isPresent: boolean;
}

/**
 * The broker whose secret comes as bearer; undefined where no bearer comes. One that does come must be right,
 * whatever else the call says.
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

/** A fresh secret, to be shown once, and what is kept of it. */
export const freshSecret = (
  call: Call,
  subdomain: string,
): { secret: string; kept: { secret: string; secret_since: string } } => {
  call.showOnce();
  const secret = newBrokerSecret(subdomain, call.random);
  return { secret, kept: { secret: fingerprint(secret), secret_since: call.now.toISOString() } };
};

/** The secret that a fresh one takes the place of works a while longer. */
export const overlapping = ({ now }: Call, fingerprintBefore: string) => ({
  fingerprint: fingerprintBefore,
  valid_until: Math.floor(now.getTime() / 1000) + OVERLAP_S,
});
