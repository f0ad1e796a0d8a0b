import * as z from 'zod';
import { keys } from './keys.ts';
import type { Store, Write } from './store.ts';

const brokerSchema = z.object({
  broker_id: z.number(),
  name: z.string(),
  /** The broker's name in addresses: what `broker_domain` and `broker_sub_domain` mean. */
  subdomain: z.string(),
  logo_url: z.string().optional(),
  favicon_url: z.string().optional(),
  app_name: z.string().optional(),
  accent_color: z.string().optional(),
  website: z.string().optional(),
});

export type Broker = z.output<typeof brokerSchema>;

/** White-label brokers that a sign-in page can offer at most. */
const MAX_LISTED = 100;

/** Reads the white-label broker of a sub-domain. */
export const findBroker = (store: Store, subdomain: string): Promise<Broker | undefined> =>
  store.get(keys.broker(subdomain), brokerSchema);

/** Lists the white-label brokers. */
export const listBrokers = (store: Store, limit = MAX_LISTED): Promise<Broker[]> =>
  store.query(
    {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.broker('').pk },
      Limit: limit,
    },
    brokerSchema,
  );

/** Registers a white-label broker. */
export const brokerWrite = (broker: Broker): Write => ({
  put: { ...keys.broker(broker.subdomain), entity: 'broker', ...broker },
});
