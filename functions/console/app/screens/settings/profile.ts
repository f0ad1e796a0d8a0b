import type { UserCustomOut } from '../../../../../infra/client/package/src/index.ts';

/** Profile of the signed-in user, without the secrets of the answer. */
export type Profile = Pick<
  UserCustomOut,
  | 'email'
  | 'name'
  | 'email_verified'
  | 'ph_number'
  | 'ph_verified'
  | 'brokers'
  | 'subscription'
  | 'referral_code'
>;

/** Leaves out the secrets of an answer. */
export const profileOf = (answer: UserCustomOut): Profile => {
  const { email, name, email_verified, ph_number, ph_verified, brokers, subscription, referral_code } =
    answer;
  return { email, name, email_verified, ph_number, ph_verified, brokers, subscription, referral_code };
};

const PLANS: Readonly<Record<string, string>> = { free: 'Free', pro: 'Pro', unlimited: 'Unlimited' };

/** Name of a plan, for people. */
export const planName = (plan: string): string => PLANS[plan] ?? plan;
