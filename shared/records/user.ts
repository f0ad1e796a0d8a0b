import * as z from 'zod';
import { extensionRecord, integer, record, timestamp } from '../api/fields.ts';
import { isWhiteLabel, linksOf, type User } from '../data/users/users.ts';
import { deployLimit, PLANS } from '../domain/plans.ts';

/** Returns the domain that a link is stored under; null for partner C, which has none. */
const domainIn = (name = '@'): string | null => (isWhiteLabel(name) ? name : null);

const userBroker = extensionRecord(
  'UserBroker',
  z.object({
    broker_id: integer(),
    broker_domain: z.string().nullable(),
    name: z.string(),
    connected: z.boolean(),
    /** True until the owner confirms the link: the broker reads nothing. */
    pending: z.boolean(),
    account_id: z.string().nullable(),
    server_id: integer().nullable(),
  }),
);

const subscription = extensionRecord(
  'Subscription',
  z.object({
    plan: z.enum(PLANS),
    status: z.enum(['active', 'cancelled', 'expired']),
    expires_at: timestamp().nullable(),
    deploy_limit: integer(),
    deploy_used: integer(),
  }),
);

const person = {
  user_id: z.string(),
  user_key: z.string(),
  email: z.string(),
  name: z.string(),
  avatar_url: z.string().nullable(),
  email_verified: z.boolean(),
  ph_number: z.string().nullable(),
  ph_verified: z.boolean(),
  /** Main broker of the user; `brokers` has all. */
  broker_id: integer().nullable(),
  brokers: z.array(userBroker),
  subscription,
  referral_code: z.string(),
} as const;

/** Registered user, without a session. */
export const registeredUser = extensionRecord(
  'RegisteredUser',
  z.object({ ...person, created_at: timestamp() }),
);

export const userCustomOut = record(
  'UserCustomOut',
  z.object({
    ...person,
    is_new_user: z.boolean(),
    access_token: z.string(),
    token_type: z.literal('bearer'),
    /** Remaining lifetime of the access token, in seconds. */
    expires_in: integer(),
    /**
     * Null when the session was only read, or cannot be renewed. A refresh token is shown once, when it is
     * made.
     */
    refresh_token: z.string().nullable(),
    login_time: timestamp(),
  }),
);

export type UserCustomOut = z.output<typeof userCustomOut>;

/** Presents a user to themselves. */
export const presentUser = (user: User): z.output<typeof registeredUser> => {
  const brokers = linksOf(user);
  const domains = new Map(Object.entries(user.brokers).map(([name, link]) => [link, name]));
  return {
    user_id: user.user_id,
    user_key: user.user_key,
    email: user.email,
    name: user.name,
    avatar_url: user.avatar_url ?? null,
    email_verified: user.email_verified,
    ph_number: user.ph_number ?? null,
    ph_verified: user.ph_verified,
    broker_id: brokers[0]?.broker_id ?? null,
    brokers: brokers.map((link) => ({
      broker_id: link.broker_id,
      broker_domain: domainIn(domains.get(link)),
      name: link.name,
      connected: link.connected,
      pending: link.pending ?? false,
      account_id: link.account_id ?? null,
      server_id: link.server_id ?? null,
    })),
    subscription: {
      plan: user.plan,
      status: user.plan_status,
      expires_at: user.plan_expires_at ?? null,
      deploy_limit: deployLimit(user.plan),
      deploy_used: user.deploy_used,
    },
    referral_code: user.referral_code,
    created_at: user.created_at,
  };
};
