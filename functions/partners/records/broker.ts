import * as z from 'zod';
import { emailAddress, extensionRecord, integer } from '../../../shared/api/fields.ts';
import type { Broker } from '../../../shared/data/brokers/brokers.ts';
import { ownName } from '../../../shared/domain/public-names.ts';

const MAX_ADDRESS = 2048;

/** HTTPS address that pages embed or link. Other schemes could run code in a browser. */
const address = z.url({ protocol: /^https$/ }).max(MAX_ADDRESS);

/** Fields of a broker's registration; each operation picks its own. */
export const brokerFields = {
  name: ownName({ max: 100 }),
  website: address,
  logo_url: address,
  favicon_url: address,
  app_name: ownName({ max: 100 }),
  accent_color: z.string().regex(/^#(?:[0-9a-fA-F]{3}){1,2}$/),
  support_email: emailAddress(),
  /** Also the broker's client_id. A colon would end it in HTTP Basic. */
  guid: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/),
} as const;

/**
 * Tells whether a text is an e-mail. Checked apart from the other fields, so that a missing one gets its own
 * error.
 */
export const isEmail = (text: string): boolean => brokerFields.support_email.safeParse(text).success;

export const brokerOut = extensionRecord(
  'WhiteLabelBroker',
  z.object({
    broker_id: integer(),
    guid: z.string().nullable(),
    broker_name: z.string(),
    subdomain: z.string(),
    website: z.string().nullable(),
    logo_url: z.string().nullable(),
    broker_favicon_url: z.string().nullable(),
    broker_app_name: z.string().nullable(),
    accent_color: z.string().nullable(),
    support_email: z.string().nullable(),
  }),
);

/** Presents the public fields of a broker. */
export const presentBroker = (broker: Broker): z.output<typeof brokerOut> => ({
  broker_id: broker.broker_id,
  guid: broker.guid ?? null,
  broker_name: broker.name,
  subdomain: broker.subdomain,
  website: broker.website ?? null,
  logo_url: broker.logo_url ?? null,
  broker_favicon_url: broker.favicon_url ?? null,
  broker_app_name: broker.app_name ?? null,
  accent_color: broker.accent_color ?? null,
  support_email: broker.support_email ?? null,
});
