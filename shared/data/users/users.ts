import * as z from 'zod';
import { openEnum } from '../../domain/open-enum.ts';
import { PLANS } from '../../domain/plans.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import { type Store, TransactionRefusedError, type Write } from '../table/store.ts';

/** Credentials share their item with failed attempts for e-mails of nobody, which expire; these do not. */
const NEVER = 253_402_300_799;

const session = z.object({
  /** How often its refresh token was exchanged: only that of this generation is valid. */
  generation: z.number(),
  /** Names the exchange that came last. */
  rotated_by: z.string().optional(),
  /** Epoch seconds. */
  created_at: z.number(),
  expires_at: z.number(),
});

const brokerLink = z.object({
  broker_id: z.number(),
  name: z.string(),
  connected: z.boolean(),
  account_id: z.string().optional(),
  server_id: z.number().optional(),
  connected_at: z.string(),
  /** Where the link is by a token that ends. */
  token_expires_at: z.string().optional(),
  permissions: z.array(z.string()).optional(),
  /**
   * Present where the broker itself said whose account it is: the user's `password_version` then. Only
   * while it is the same may the broker's tokens sign the user in: whoever registered somebody else's
   * e-mail loses it with the reset of the password.
   */
  sign_in_version: z.number().optional(),
});

const platformToken = z.object({
  token_id: z.string(),
  /** Epoch seconds. */
  issued_at: z.number(),
  expires_at: z.number(),
});

/** A user as stored. Sessions and broker links are kept inside: one read answers who may do what. */
export const userSchema = z.object({
  user_id: z.string(),
  user_key: z.string(),
  email: z.string(),
  name: z.string(),
  avatar_url: z.string().optional(),
  email_verified: z.boolean(),
  ph_number: z.string().optional(),
  ph_verified: z.boolean(),
  country: z.string().optional(),
  plan: openEnum(PLANS, 'free'),
  plan_status: openEnum(['active', 'cancelled', 'expired'], 'active'),
  plan_expires_at: z.string().optional(),
  deploy_used: z.number(),
  /** Counts resets of the password; the credentials count along. */
  password_version: z.number(),
  referral_code: z.string(),
  /** By sub-domain of the broker. */
  brokers: z.record(z.string(), brokerLink),
  /** By session id. */
  sessions: z.record(z.string(), session),
  /** The one that is active; those before it are not. */
  platform_token: platformToken.optional(),
  created_at: z.string(),
  last_login_at: z.string().optional(),
});

export type User = z.output<typeof userSchema>;
export type Session = z.output<typeof session>;
export type BrokerLink = z.output<typeof brokerLink>;
export type PlatformToken = z.output<typeof platformToken>;

export interface NewUser {
  readonly user: User;
  readonly passwordHash?: string | undefined;
  /** The code of the user who brought this one. */
  readonly referredBy?: string | undefined;
  readonly identity?: { readonly issuer: string; readonly subject: string } | undefined;
  /** What is written with the user, each with what its refusal means. */
  readonly extraWrites?: readonly (readonly [Write, CreateUserFailure])[] | undefined;
}

export type CreateUserFailure =
  | 'email_taken'
  | 'referral_unknown'
  | 'identity_taken'
  | 'partner_token_used'
  | 'account_taken';

/** Claims an identity for a user; refused where somebody has it. */
export const identityWrite = (identity: NonNullable<NewUser['identity']>, userId: string): Write => ({
  put: { ...keys.identity(identity.issuer, identity.subject), entity: 'identity', user_id: userId },
  if: { condition: 'attribute_not_exists(pk)' },
});

/**
 * Creates a user together with the claim of the e-mail, the referral code and, where given, the
 * identity, all or nothing.
 *
 * @returns undefined when the user was created, else why not.
 */
export const createUser = async (store: Store, newUser: NewUser): Promise<CreateUserFailure | undefined> => {
  const { user, passwordHash, referredBy, identity, extraWrites = [] } = newUser;
  const writes: Write[] = [
    {
      put: {
        ...keys.credentials(user.email),
        entity: 'credentials',
        user_id: user.user_id,
        password_hash: passwordHash,
        password_version: user.password_version,
        mail_subscribed: true,
        expires_at_s: NEVER,
      },
      if: { condition: 'attribute_not_exists(user_id)' },
    },
    {
      put: { ...keys.user(user.user_id), entity: 'user', ...user },
      if: { condition: 'attribute_not_exists(pk)' },
    },
    {
      put: {
        ...keys.referral(user.referral_code),
        entity: 'referral',
        user_id: user.user_id,
        referred_count: 0,
      },
      if: { condition: 'attribute_not_exists(pk)' },
    },
  ];
  const failures: (CreateUserFailure | undefined)[] = ['email_taken', undefined, undefined];
  if (referredBy !== undefined) {
    writes.push({
      key: keys.referral(referredBy),
      update: 'SET referred_count = referred_count + :one',
      condition: 'attribute_exists(pk)',
      values: { ':one': 1 },
    });
    failures.push('referral_unknown');
  }
  if (identity) {
    writes.push(identityWrite(identity, user.user_id));
    failures.push('identity_taken');
  }
  for (const [write, failure] of extraWrites) {
    writes.push(write);
    failures.push(failure);
  }
  try {
    await store.transact(writes);
    return undefined;
  } catch (error) {
    if (!(error instanceof TransactionRefusedError)) throw error;
    const failure = failures[error.failed[0] ?? -1];
    if (failure === undefined) throw error;
    return failure;
  }
};

/** Parses an item of the table as a user; undefined where there is none. */
export const asUser = (item: Record<string, unknown> | undefined): User | undefined =>
  item && parseItem(userSchema, item);

/** A `user_id` that no user has: reading it costs what reading a user costs. */
export const NO_USER = '-';

/** Reads a user as of now. */
export const findUser = (store: Store, userId: string): Promise<User | undefined> =>
  store.get(keys.user(userId), userSchema, { consistent: true });

/** Lists a user's brokers, the first linked first. */
export const linksOf = ({ brokers }: Pick<User, 'brokers'>): BrokerLink[] =>
  Object.values(brokers).sort(
    (left, right) =>
      Date.parse(left.connected_at) - Date.parse(right.connected_at) || left.broker_id - right.broker_id,
  );

const owner = z.object({ user_id: z.string().optional() });

/** Who is behind an identity and who behind an e-mail, in one call. */
export const findOwners = async (
  store: Store,
  identity: { readonly issuer: string; readonly subject: string },
  email: string | undefined,
): Promise<{ byIdentity: string | undefined; byEmail: string | undefined }> => {
  const [linked, claimed] = await store.getMany(
    [
      keys.identity(identity.issuer, identity.subject),
      ...(email === undefined ? [] : [keys.credentials(email)]),
    ],
    { consistent: true },
  );
  return {
    byIdentity: linked && parseItem(owner, linked).user_id,
    byEmail: claimed && parseItem(owner, claimed).user_id,
  };
};

/** Marks a phone number as verified, in a transaction with whatever proved it. */
export const verifiedPhoneWrite = (userId: string, phone: string): Write => ({
  key: keys.user(userId),
  update: 'SET ph_number = :phone, ph_verified = :yes',
  condition: 'attribute_exists(pk)',
  values: { ':phone': phone, ':yes': true },
});

/** What a proven mailbox changes of a user: the e-mail is verified; every session and the platform token end. */
export const resetUserWrite = (userId: string): Write => ({
  key: keys.user(userId),
  update:
    'SET email_verified = :yes, sessions = :none, password_version = password_version + :one REMOVE platform_token',
  condition: 'attribute_exists(pk)',
  values: { ':yes': true, ':none': {}, ':one': 1 },
});

const referralSchema = z.object({ referred_count: z.number() });

/** How many users registered with a referral code. */
export const countReferred = async (store: Store, code: string): Promise<number> =>
  (await store.get(keys.referral(code), referralSchema))?.referred_count ?? 0;
