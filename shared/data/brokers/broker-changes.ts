import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store, type Write } from '../table/store.ts';
import { type Broker, brokerSchema } from './brokers.ts';

/** What a broker may change of itself. */
export type Branding = Partial<
  Pick<
    Broker,
    'name' | 'email' | 'support_email' | 'website' | 'logo_url' | 'favicon_url' | 'app_name' | 'accent_color'
  >
>;

interface Change {
  readonly branding: Branding;
  /** The fingerprint of the secret that was checked: where it was replaced meanwhile, nothing changes. */
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
 * Changes a broker's branding and, where asked, its secret; what is undefined stays.
 *
 * @returns the broker as it is now; undefined where its secret was replaced meanwhile.
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

/** Keeps a broker from acting from a moment on, or lets it act again. */
export const suspensionWrite = (subdomain: string, since: Date | undefined): Write => ({
  key: keys.broker(subdomain),
  ...(since
    ? { update: 'SET suspended_at = :since', values: { ':since': since.toISOString() } }
    : { update: 'REMOVE suspended_at' }),
  condition: 'attribute_exists(pk)',
});
