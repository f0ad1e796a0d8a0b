import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { invalidValue, replacedSecret, wrongSecret } from '../../shared/api/refusals.ts';
import { type Branding, changeBroker } from '../../shared/data/brokers/broker-changes.ts';
import { type Broker, registerBroker } from '../../shared/data/brokers/brokers.ts';
import { budgetOf, spend } from '../../shared/data/table/budgets.ts';
import { normaliseEmail } from '../../shared/data/table/keys.ts';
import { subdomainOf } from '../../shared/domain/broker-names.ts';
import { tidy } from '../../shared/domain/text.ts';
import { integerId } from '../../shared/ids.ts';
import { freshSecret, overlapping, type ProvenBroker, provenBroker } from './common/broker-secret.ts';
import { brokerFields, brokerOut, isEmail, presentBroker } from './records/broker.ts';

const query = z
  .object({
    broker_name: brokerFields.name,
    email: z.string().max(254),
    website: brokerFields.website.optional(),
    guid: brokerFields.guid.optional(),
    logo_url: brokerFields.logo_url.optional(),
    broker_favicon_url: brokerFields.favicon_url.optional(),
    broker_app_name: brokerFields.app_name.optional(),
    accent_color: brokerFields.accent_color.optional(),
  })
  .refine(({ email }) => isEmail(email), {
    path: ['email'],
    error: 'value is not a valid email address',
    params: { type: 'value_error.email' },
  });

type Query = z.output<typeof query>;

const output = z.object({
  ...brokerOut.shape,
  /** Shown once: the service keeps a fingerprint. */
  secret: z.string(),
  rotated: z.boolean(),
  created_at: timestamp(),
  previous_secret_valid_until: timestamp().nullable(),
});

type Answer = z.output<typeof output>;

const brandingOf = (asked: Query): Branding => ({
  name: tidy(asked.broker_name),
  email: normaliseEmail(asked.email),
  website: asked.website,
  logo_url: asked.logo_url,
  favicon_url: asked.broker_favicon_url,
  app_name: asked.broker_app_name && tidy(asked.broker_app_name),
  accent_color: asked.accent_color,
});

/** Returns a version 4 UUID (RFC 9562). */
const freshGuid = (random: (bytes: number) => Buffer): string => {
  const bytes = random(16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

const taken = (): HubError =>
  new HubError(
    'broker_taken',
    'A broker has this sub-domain or guid. If it is yours, send its current secret as bearer to replace the secret.',
  );

const register = async (call: Call, asked: Query): Promise<Answer> => {
  const subdomain = subdomainOf(asked.broker_name);
  if (subdomain === undefined) {
    const msg = 'no sub-domain can be made of this name: it has no Latin letter or digit, or is reserved';
    throw invalidValue(['query', 'broker_name'], msg, 'value_error.broker_name');
  }
  const { secret, kept } = freshSecret(call, subdomain);
  const broker: Broker & { guid: string } = {
    ...brandingOf(asked),
    broker_id: integerId(call.now, call.random),
    name: tidy(asked.broker_name),
    subdomain,
    guid: (asked.guid ?? freshGuid(call.random)).toLowerCase(),
    ...kept,
    created_at: call.now.toISOString(),
  };
  if (!(await registerBroker(call.store, broker))) throw taken();
  return {
    ...presentBroker(broker),
    secret,
    rotated: false,
    created_at: call.now.toISOString(),
    previous_secret_valid_until: null,
  };
};

/** Counts a broker that registers itself for the network of the caller. @throws HubError rate_limited */
const countBroker = async ({ store, keyRing, now, wideNetwork }: Call): Promise<void> => {
  if (wideNetwork === undefined) return;
  const budget = budgetOf(await keyRing(), 'broker_network', [wideNetwork], now);
  if (await spend(store, budget)) return;
  throw new HubError(
    'rate_limited',
    'Too many brokers were registered from your network. Wait before the next.',
    {
      retryAfterS: (budget.endsAt - now.getTime()) / 1000,
    },
  );
};

/** Rotates with the current secret only: the previous one may have been replaced because it leaked. */
const rotate = async (call: Call, asked: Query, proven: ProvenBroker): Promise<Answer> => {
  const { broker, secret: before, isPresent } = proven;
  const isSame =
    asked.guid === undefined
      ? subdomainOf(asked.broker_name) === broker.subdomain
      : asked.guid.toLowerCase() === broker.guid;
  if (!isPresent || !isSame) throw wrongSecret();
  const { secret, kept } = freshSecret(call, broker.subdomain);
  const previous = overlapping(call, before);
  const changed = await changeBroker(call.store, broker, {
    branding: brandingOf(asked),
    secret: before,
    next: { ...kept, previous_secret: previous },
  });
  if (!changed) throw replacedSecret();
  return {
    ...presentBroker(changed),
    secret,
    rotated: true,
    created_at: changed.created_at ?? call.now.toISOString(),
    previous_secret_valid_until: new Date(previous.valid_until * 1000).toISOString(),
  };
};

export const createPartneraSubdomainSecret = defineOperation({
  method: 'POST',
  path: '/create_partnera_subdomain_secret',
  name: 'create_partnera_subdomain_secret',
  summary: 'Register a white-label broker, or replace its secret',
  description:
    'Makes a sub-domain from the name, and a secret that is shown once. With the current secret as bearer, and the guid or the same name, replaces the secret: the old one works for 24 more hours, and the one before it ends at once. A new broker has no users: its tokens read nothing until users link to it.',
  caller: 'anyone',
  // Percent-encoding triples the bytes of a long text.
  limits: { query: 10 * 1024 },
  credential: ({ headers }) => headers.authorization,
  input: { query },
  output,
  errors: [
    'broker_taken',
    'broker_secret_invalid',
    'broker_suspended',
    'changed_meanwhile',
    'answer_shown_once',
    'rate_limited',
  ],
  table: 'write',
  handler: async ({ query: asked }, call) => {
    const proven = await provenBroker(call);
    if (proven) return rotate(call, asked, proven);
    await countBroker(call);
    return register(call, asked);
  },
});
