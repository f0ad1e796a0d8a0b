import * as z from 'zod';
import { bearerOf } from '../../shared/api/authenticate.ts';
import type { Call } from '../../shared/api/call.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { invalidValue, replacedSecret, unknownBroker, wrongSecret } from '../../shared/api/refusals.ts';
import { isBrokerSecret } from '../../shared/auth/broker-secrets.ts';
import { type Branding, changeBroker } from '../../shared/data/brokers/broker-changes.ts';
import { type Broker, findBroker, findSubdomain } from '../../shared/data/brokers/brokers.ts';
import { subdomainOf } from '../../shared/domain/broker-names.ts';
import { readableText, tidy } from '../../shared/domain/text.ts';
import { type UserCustomOut, userCustomOut } from '../../shared/records/user.ts';
import { type ProvenBroker, provenBroker } from './common/broker-secret.ts';
import { enter, readToken } from './common/enter.ts';
import { brokerFields, brokerOut, presentBroker } from './records/broker.ts';

const query = z.object({
  broker_guid: brokerFields.guid.optional(),
  /** Any name finds a broker; a broker takes only some. */
  broker_name: readableText({ max: 100 }).optional(),
  broker_logo_url: brokerFields.logo_url.optional(),
  support_email: brokerFields.support_email.optional(),
});

type Query = z.output<typeof query>;

const output = z.object({
  ...brokerOut.shape,
  /** Addresses for the broker's users. */
  sign_in_url: z.string(),
  register_url: z.string(),
  /** True if the call had the broker's secret and changed the branding. */
  updated: z.boolean(),
  /** Session of the user whom a verified token of partner A signs in. */
  session: userCustomOut.nullable(),
});

interface Handshake {
  readonly broker: Broker;
  readonly updated: boolean;
  readonly session: UserCustomOut | null;
}

const isNamed = (broker: Broker, { broker_guid: guid }: Query): boolean =>
  guid === undefined || guid.toLowerCase() === broker.guid;

const brandingOf = (asked: Query): Branding => ({
  ...(asked.broker_name !== undefined && { name: tidy(asked.broker_name) }),
  ...(asked.broker_logo_url !== undefined && { logo_url: asked.broker_logo_url }),
  ...(asked.support_email !== undefined && { support_email: asked.support_email }),
});

/** Reads the broker that changes itself. @throws HubError broker_secret_invalid, broker_suspended */
const changingBroker = async (call: Call, asked: Query): Promise<ProvenBroker> => {
  const proven = await provenBroker(call);
  // The previous secret still verifies tokens for a day, but cannot change the broker.
  if (!proven?.isPresent || !isNamed(proven.broker, asked)) throw wrongSecret();
  if (!brokerFields.name.optional().safeParse(asked.broker_name).success) {
    const msg = 'this name is reserved, or has characters that are hidden or look like others';
    throw invalidValue(['query', 'broker_name'], msg, 'value_error.name');
  }
  return proven;
};

const byItself = async (call: Call, asked: Query): Promise<Handshake> => {
  const proven = await changingBroker(call, asked);
  const change = { branding: brandingOf(asked), secret: proven.secret };
  const broker = await changeBroker(call.store, proven.broker, change);
  if (!broker) throw replacedSecret();
  return { broker, updated: true, session: null };
};

const byToken = async (call: Call, asked: Query, token: string): Promise<Handshake> => {
  const claims = await readToken(call, 'a', token);
  const entered = await enter(call, claims, (broker) => isNamed(broker, asked));
  return { ...entered, updated: false };
};

const byName = async (call: Call, { broker_guid: guid, broker_name: name }: Query): Promise<Handshake> => {
  const subdomain = guid === undefined ? name && subdomainOf(name) : await findSubdomain(call.store, guid);
  const broker = subdomain ? await findBroker(call.store, subdomain) : undefined;
  if (!broker) throw unknownBroker();
  return { broker, updated: false, session: null };
};

/** Reads the partner token of a call; undefined if its bearer is, or should be, the secret of a broker. */
const tokenIn = (call: Call): string | undefined => {
  const bearer = bearerOf(call.headers);
  return isBrokerSecret(bearer) ? undefined : bearer;
};

const handshake = (call: Call, asked: Query): Promise<Handshake> => {
  if (call.headers.authorization === undefined) return byName(call, asked);
  const token = tokenIn(call);
  return token === undefined ? byItself(call, asked) : byToken(call, asked, token);
};

export const partneraAuth = defineOperation({
  method: 'POST',
  path: '/partnera_auth',
  name: 'partnera_auth',
  summary: 'Handshake with partner A',
  description:
    'Returns the branding and sign-in address of the broker with this guid or name. With the broker’s secret as bearer, changes name, logo and support address to the given ones. With a verified token of partner A as bearer, signs in the user linked to its account and spends the token.',
  caller: 'anyone',
  cookies: 'own_site',
  credential: ({ headers }) => headers.authorization,
  input: { query },
  output,
  errors: [
    'broker_unknown',
    'broker_secret_invalid',
    'broker_suspended',
    'changed_meanwhile',
    'partner_token_invalid',
    'partner_token_used',
    'partner_account_unlinked',
    'broker_unapproved',
    'answer_shown_once',
  ],
  table: 'write',
  recheck: async ({ query: asked }, call) => {
    // A token signs in once, and its session is not repeated.
    const isByItself = call.headers.authorization !== undefined && tokenIn(call) === undefined;
    if (isByItself) await changingBroker(call, asked);
  },
  handler: async ({ query: asked }, call) => {
    const { broker, updated, session } = await handshake(call, asked);
    const { HUB_PUBLIC_URL: base } = call.settings;
    return {
      ...presentBroker(broker),
      sign_in_url: `${base}/login_user_broker?broker_domain=${broker.subdomain}`,
      register_url: `${base}/register_user_broker`,
      updated,
      session,
    };
  },
});
