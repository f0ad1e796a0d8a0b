import type * as z from 'zod';
import { linksOf, type User } from '../../shared/data/users/users.ts';
import { deployLimit } from '../../shared/domain/plans.ts';
import type { registeredUser } from './user-out.ts';

/** Presents a user to themselves. */
export const presentUser = (user: User): z.output<typeof registeredUser> => {
  const brokers = linksOf(user);
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
    brokers: brokers.map(({ broker_id, name, connected, account_id, server_id }) => ({
      broker_id,
      name,
      connected,
      account_id: account_id ?? null,
      server_id: server_id ?? null,
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
