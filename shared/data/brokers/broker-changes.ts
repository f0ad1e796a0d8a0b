import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { type Broker, brokerSchema } from './brokers.ts';

/** The fields that a broker may change itself. */
export type Branding = Partial<
  Pick<
    Broker,
    'name' | 'email' | 'support_email' | 'website' | 'logo_url' | 'favicon_url' | 'app_name' | 'accent_color'
  >
>;

interface Change {
  readonly branding: Branding;
  /** Fingerprint of the secret that was checked. Nothing changes if the secret was replaced meanwhile. */
  readonly secret: string;
  readonly next?:
    | {
        readonly secret: string;
        readonly secret_since: string;
        readonly previous_secret: NonNullable<Broker['previous_secret']>;
      }
    | undefined;
}

/**
 * Changes a broker's branding and, if given, its secret. Undefined fields stay as they are.
 *
 * @returns the broker afterwards; undefined if its secret was replaced meanwhile.
 */
export const changeBroker = async (
  store: Store,
  broker: Broker,
  { branding, secret, next }: Change,
): Promise<Broker | undefined> => {
  const changes = Object.entries({ ...branding, ...next }).filter(([, value]) => value !== undefined);
  if (changes.length === 0) return broker;
  const names = Object.fromEntries(changes.map(([name], index) => [`#c${index}`, name]));
  const values = Object.fromEntries(changes.map(([, value], index) => [`:c${index}`, value]));
  try {
    return await store.update(
      keys.broker(broker.subdomain),
      {
        update: `SET ${changes.map((_, index) => `#c${index} = :c${index}`).join(', ')}`,
        condition: '#secret = :secret',
        names: { ...names, '#secret': 'secret' },
        values: { ...values, ':secret': secret },
      },
      brokerSchema,
    );
  } catch (error) {
    if (error instanceof ConditionFailedError) return undefined;
    throw error;
  }
};

/** Returns the write that lets a broker throw kill switches over its deployments, or withdraws it. */
export const riskGrantWrite = (subdomain: string, since: Date | undefined): Write => ({
  key: keys.broker(subdomain),
  ...(since
    ? { update: 'SET risk_granted_at = :since', values: { ':since': since.toISOString() } }
    : { update: 'REMOVE risk_granted_at' }),
  condition: 'attribute_exists(pk)',
});

/** Returns the write that suspends a broker since a moment, or ends the suspension. */
export const suspensionWrite = (subdomain: string, since: Date | undefined): Write => ({
  key: keys.broker(subdomain),
  ...(since
    ? { update: 'SET suspended_at = :since', values: { ':since': since.toISOString() } }
    : { update: 'REMOVE suspended_at' }),
  condition: 'attribute_exists(pk)',
});
