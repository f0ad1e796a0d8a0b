import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { type Broker, listBrokers } from '../../shared/data/brokers/brokers.ts';
import { sharedReads } from '../../shared/data/table/timed-memory.ts';
import { MIN_PASSWORD } from './records/registration.ts';

const offeredBrokers = sharedReads<Broker[]>(1);

export const blloo = defineOperation({
  method: 'GET',
  path: '/blloo',
  name: 'blloo',
  summary: 'Broker-linked login options',
  description: 'Options of a sign-in page: rules of passwords, identity providers, white-label brokers.',
  caller: 'anyone',
  input: {},
  output: z.object({
    password: z.object({ enabled: z.boolean(), min_length: integer(), reset_enabled: z.boolean() }),
    idp: z.array(
      z.object({ provider: z.string(), name: z.string(), issuer: z.string(), client_id: z.string() }),
    ),
    brokers: z.array(
      z.object({
        broker_id: integer(),
        name: z.string(),
        broker_domain: z.string(),
        logo_url: z.string().nullable(),
        favicon_url: z.string().nullable(),
        app_name: z.string().nullable(),
        accent_color: z.string().nullable(),
      }),
    ),
  }),
  errors: [],
  table: 'read',
  uses: ['identity'],
  cache: 'public, max-age=60',
  handler: async (_input, call) => ({
    password: { enabled: true, min_length: MIN_PASSWORD, reset_enabled: true },
    idp: call.capability('identity').HUB_IDENTITY_PROVIDERS.map(({ provider, name, issuer, client_id }) => ({
      provider,
      name,
      issuer,
      client_id,
    })),
    brokers: (await offeredBrokers(call, '', () => listBrokers(call.store))).map((broker) => ({
      broker_id: broker.broker_id,
      name: broker.name,
      broker_domain: broker.subdomain,
      logo_url: broker.logo_url ?? null,
      favicon_url: broker.favicon_url ?? null,
      app_name: broker.app_name ?? null,
      accent_color: broker.accent_color ?? null,
    })),
  }),
});
