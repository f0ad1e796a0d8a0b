import * as z from 'zod';
import { preferencesSchema } from '../../domain/deployments/notification-preferences.ts';
import { openEnum, openEnumList } from '../../domain/open-enum.ts';
import { PLANS } from '../../domain/plans.ts';
import { userLimitsSchema } from '../../domain/risk/limit-records.ts';
import { SCOPES } from '../../domain/scopes.ts';
import type { Item } from '../table/attributes.ts';
import { bounded, keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import { type Store, TransactionRefusedError } from '../table/store.ts';
import type { Condition, Write } from '../table/writes.ts';
import { freeEmail, NEVER_S } from './credentials.ts';

const session = z.object({
  /** Number of exchanges of the refresh token. Only the token of this generation is valid. */
  generation: z.number(),
  /** Identifier of the last exchange. */
  rotated_by: z.string().optional(),
  /** Epoch seconds. */
  created_at: z.number(),
  expires_at: z.number(),
  /** Browser and system that signed in, in words of `device-name.ts`. */
  device: z.string().optional(),
  /** Network from which it signed in, cut to /24 or /48. */
  place: z.string().optional(),
  /** Epoch seconds of the last proof by a factor. */
  stepped_up_at: z.number().optional(),
  /** Generation of the access token that sent it; absent for the first. Tokens of a renewal, which a thief may have made, do not share it. */
  stepped_up_in: z.number().optional(),
});

const brokerLink = z.object({
  broker_id: z.number(),
  name: z.string(),
  connected: z.boolean(),
  account_id: z.string().optional(),
  server_id: z.number().optional(),
  connected_at: z.string(),
  /** Present if the link rests on a token that expires. */
  token_expires_at: z.string().optional(),
  permissions: z.array(z.string()).optional(),
  /**
   * The user's `password_version` when the broker itself vouched for the account; absent otherwise. The broker's
   * tokens sign the user in only while it is unchanged: someone who registered another person's e-mail loses
   * access when that person resets the password.
   */
  sign_in_version: z.number().optional(),
  /**
   * True while only a registration says so: the broker reads nothing until the owner proves the e-mail and confirms
   * the link.
   */
  pending: z.boolean().optional(),
  /** Time at which the owner confirmed the link. The broker reads the user from then on, also after a password reset. */
  confirmed_at: z.string().optional(),
});

const platformToken = z.object({
  token_id: z.string(),
  /** Epoch seconds. */
  issued_at: z.number(),
  expires_at: z.number(),
});

const assistantGrant = z.object({
  /** SHA-256 of the client id. */
  client: z.string(),
  /** Host of the client's document; absent for a client that registered itself, which no host vouches for. */
  host: z.string().optional(),
  /** Address of the service that the tokens are for. */
  resource: z.string(),
  /** Code that leads to the first token: SHA-256 of it and of the address it was sent to, and the PKCE challenge. */
  code: z.object({ hash: z.string(), redirect: z.string(), challenge: z.string() }),
  /** Number of tokens so far: 0 until the code is exchanged. Only the refresh token of this generation is valid. */
  generation: z.number(),
  /** Epoch seconds: end of the present access token, and of the grant, however often it is renewed. */
  token_expires_at: z.number(),
  until: z.number(),
});

const apiKey = z.object({
  name: z.string(),
  /** SHA-256 of the key; empty before the first access token of an assistant. */
  hash: z.string(),
  scopes: openEnumList(SCOPES),
  /** Addresses and ranges from which it may be used; absent: from all. */
  addresses: z.array(z.string()).optional(),
  /** Epoch seconds. */
  created_at: z.number(),
  expires_at: z.number(),
  /** Time of a use, at most an hour before the last one. */
  used_at: z.number().optional(),
  /** Present if the key is the access token of an assistant, which changes with each renewal. */
  assistant: assistantGrant.optional(),
});

const emailChange = z.object({
  change_id: z.string(),
  /** The e-mail before. */
  from: z.string(),
  changed_at: z.string(),
  /** Last time at which the e-mail before can undo the change. */
  until: z.string(),
  undone_at: z.string().optional(),
});

/** A user as stored. Sessions, keys and broker links are part of it, so that one read answers all permissions. */
export const userSchema = z.object({
  user_id: z.string(),
  user_key: z.string(),
  email: z.string(),
  name: z.string(),
  avatar_url: z.string().optional(),
  /** Decides through `isProven` alone. A mail that comes back for good takes it away. */
  email_verified: z.boolean(),
  /** Time of the first proof of the e-mail; absent before. */
  proven_at: z.string().optional(),
  /** Ends what was made before: nobody knows who made it. Set by a proof. */
  made_since: z.string().optional(),
  /** The last change of the e-mail. */
  email_change: emailChange.optional(),
  ph_number: z.string().optional(),
  ph_verified: z.boolean(),
  country: z.string().optional(),
  plan: openEnum(PLANS, 'free'),
  plan_status: openEnum(['active', 'cancelled', 'expired'], 'active'),
  plan_expires_at: z.string().optional(),
  deploy_used: z.number(),
  /** Deployments of the day that the hub began to run. */
  starts: z.object({ day: z.string(), count: z.number() }).optional(),
  /** Counts the factors, whose record holds the rest; absent without any. */
  factors: z
    .object({
      passkeys: z.number(),
      totp: z.boolean(),
      recovery_codes: z.number(),
      /** Time at which lost factors end; absent unless their removal was asked for. */
      end_at: z.string().optional(),
      /** Time until which a reset by mail ends the factors. */
      revocable_until: z.string().optional(),
    })
    .optional(),
  /** True for a user who signs in with an identity provider and has set no password. */
  passwordless: z.boolean().optional(),
  /** Time of the last recovery of the account, after which nothing begins that trades real money. */
  recovered_at: z.string().optional(),
  /** Number of password resets. The credentials have the same number. */
  password_version: z.number(),
  referral_code: z.string(),
  /** By sub-domain of the broker. */
  brokers: z.record(z.string(), brokerLink),
  /** Times at which identities were linked, by the partitions of these. */
  identities: z.record(z.string(), z.string()),
  /** By session id. */
  sessions: z.record(z.string(), session),
  /** The active platform token; earlier ones are invalid. */
  platform_token: platformToken.optional(),
  /** By key id. */
  api_keys: z.record(z.string(), apiKey).optional(),
  /** Risk limits for each deployment, and for all real ones together; with a number that each change increases. */
  limits: userLimitsSchema.optional(),
  limits_rev: z.int().optional(),
  /** Absent: every notification leaves by the channels of its deployment. */
  notification_preferences: preferencesSchema.optional(),
  /** Since when the user listens to change events; absent for a user who does not. */
  listens_since: z.string().optional(),
  created_at: z.string(),
  last_login_at: z.string().optional(),
  /** Present while the account is being deleted: nobody signs in, and nothing is deployed. */
  deletion: z.object({ deletion_id: z.string(), requested_at: z.string() }).optional(),
});

export type User = z.output<typeof userSchema>;
export type Session = z.output<typeof session>;
export type BrokerLink = z.output<typeof brokerLink>;
export type EmailChange = z.output<typeof emailChange>;
export type PlatformToken = z.output<typeof platformToken>;
export type ApiKey = z.output<typeof apiKey>;
export type AssistantGrant = z.output<typeof assistantGrant>;

export interface NewUser {
  readonly user: User;
  readonly passwordHash?: string | undefined;
  /** Referral code of the user who referred this one. */
  readonly referredBy?: string | undefined;
  readonly identity?: { readonly issuer: string; readonly subject: string } | undefined;
  /** Further writes of the same transaction. */
  readonly extraWrites?: readonly RegistrationWrite[] | undefined;
}

export type CreateUserFailure =
  | 'email_taken'
  | 'referral_unknown'
  | 'identity_taken'
  | 'partner_token_used'
  | 'account_taken';

/** A write of a registration, with the failure that its refusal means. A refusal without one is unexpected. */
interface RegistrationWrite {
  readonly write: Write;
  readonly failure?: CreateUserFailure;
}

/** Beginning of the sort keys of the users who registered with a referral code. */
export const REFERRED = 'REFERRED#';

/** Returns the write that counts a referral. Its condition fails for an unknown code. */
const referralWrite = (referredBy: string): Write => ({
  key: keys.referral(referredBy),
  update: 'SET referred_count = referred_count + :one',
  condition: 'attribute_exists(pk)',
  values: { ':one': 1 },
});

/** Returns the write of the item that records a referral. Reconciliation counts these items. */
const referredWrite = (referredBy: string, userId: string): Write => ({
  put: { pk: keys.referral(referredBy).pk, sk: `${REFERRED}${bounded(userId)}`, entity: 'referred' },
});

/** Returns the write that claims an identity for a user. Its condition fails if another user has it. */
export const identityWrite = (identity: NonNullable<NewUser['identity']>, userId: string): Write => ({
  put: { ...keys.identity(identity.issuer, identity.subject), entity: 'identity', user_id: userId },
  if: { condition: 'attribute_not_exists(pk)' },
});

/**
 * Creates a user and claims the e-mail, the referral code and the identity, if given, in one transaction.
 *
 * @returns undefined if the user was created, else the reason.
 */
export const createUser = async (store: Store, newUser: NewUser): Promise<CreateUserFailure | undefined> => {
  const { user, passwordHash, referredBy, identity, extraWrites = [] } = newUser;
  const members: readonly RegistrationWrite[] = [
    {
      write: {
        put: {
          ...keys.credentials(user.email),
          entity: 'credentials',
          user_id: user.user_id,
          password_hash: passwordHash,
          password_version: user.password_version,
          expires_at_s: NEVER_S,
        },
        if: freeEmail(new Date(user.created_at)),
      },
      failure: 'email_taken',
    },
    {
      write: {
        put: {
          ...keys.user(user.user_id),
          entity: 'user',
          ...user,
          ...(identity && {
            identities: { [keys.identity(identity.issuer, identity.subject).pk]: user.created_at },
          }),
        },
        if: { condition: 'attribute_not_exists(pk)' },
      },
    },
    {
      write: {
        put: {
          ...keys.referral(user.referral_code),
          entity: 'referral',
          user_id: user.user_id,
          referred_count: 0,
          unlisted_count: 0,
        },
        if: { condition: 'attribute_not_exists(pk)' },
      },
    },
    ...(referredBy === undefined
      ? []
      : [
          { write: referralWrite(referredBy), failure: 'referral_unknown' as const },
          { write: referredWrite(referredBy, user.user_id) },
        ]),
    ...(identity
      ? [{ write: identityWrite(identity, user.user_id), failure: 'identity_taken' as const }]
      : []),
    ...extraWrites,
  ];
  try {
    await store.transact(members.map(({ write }) => write));
    return undefined;
  } catch (error) {
    if (!(error instanceof TransactionRefusedError)) throw error;
    const refused = members.find(({ write }) => error.has(write));
    if (refused?.failure === undefined) throw error;
    return refused.failure;
  }
};

/** Parses an item as a user; undefined if there is no item. */
export const asUser = (item: Item | undefined): User | undefined => item && parseItem(userSchema, item);

/** A `user_id` that no user has. Reading it costs the same as reading a user. */
export const NO_USER = '-';

/** Attributes with the credentials of the user's programs, for the writes that end them. */
export const PROGRAMS = 'platform_token, api_keys';

/** Condition of a write to a user who stays: one whose account is being deleted gets no new access. */
export const STAYS = 'attribute_exists(pk) AND attribute_not_exists(deletion)';

/** Returns a user who stays. One whose account is being deleted is unknown to every way in, but to the session that asked for it. */
export const unlessLeaving = (user: User | undefined): User | undefined =>
  user?.deletion ? undefined : user;

/** Reads a user, consistently. */
export const findUser = (store: Store, userId: string): Promise<User | undefined> =>
  store.get(keys.user(userId), userSchema, { consistent: true });

/** Lists a user's broker links, oldest first. */
export const linksOf = ({ brokers }: Pick<User, 'brokers'>): BrokerLink[] =>
  Object.values(brokers).sort(
    (left, right) =>
      Date.parse(left.connected_at) - Date.parse(right.connected_at) || left.broker_id - right.broker_id,
  );

/** Returns whether a link is to a white-label broker, by the domain that it is stored under. Partner C has none. */
export const isWhiteLabel = (domain: string): boolean => !domain.startsWith('@');

const owner = z.object({ user_id: z.string().optional() });

/** Reads the user ids behind an identity and an e-mail in one call. */
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

/** Kinds of credentials that prove the user of a request. */
export type HolderKind = 'session' | 'platform_token' | 'api_key';

/** Credential of a request. */
export interface Holder {
  /** Id of the session, the token or the key. */
  readonly sid: string;
  readonly kind: HolderKind;
}

/**
 * Returns the condition that the user stays, and that what a request came with has not ended since it was read: a reset
 * of the password must end what the request makes, too.
 */
export const whileHeld = (holder: Holder | undefined): Condition => {
  if (!holder) return { condition: STAYS };
  if (holder.kind === 'platform_token') {
    return { condition: `${STAYS} AND platform_token.token_id = :holder`, values: { ':holder': holder.sid } };
  }
  const held = holder.kind === 'api_key' ? 'api_keys' : 'sessions';
  return { condition: `${STAYS} AND attribute_exists(${held}.#holder)`, names: { '#holder': holder.sid } };
};

/** Returns the write that marks a phone number as verified, for the transaction of its proof. */
export const verifiedPhoneWrite = (
  userId: string,
  { phone, sid }: { readonly phone: string; readonly sid: string | undefined },
): Write => {
  const held = whileHeld(sid === undefined ? undefined : { sid, kind: 'session' });
  return {
    key: keys.user(userId),
    update: 'SET ph_number = :phone, ph_verified = :yes',
    ...held,
    values: { ...held.values, ':phone': phone, ':yes': true },
  };
};

/** Returns the write that marks the e-mail as not verified. */
export const unverifiedEmailWrite = (userId: string): Write => ({
  key: keys.user(userId),
  update: 'SET email_verified = :no',
  condition: 'attribute_exists(pk)',
  values: { ':no': false },
});

const referralSchema = z.object({ referred_count: z.number() });

/** Reads how many users registered with a referral code. */
export const countReferred = async (store: Store, code: string): Promise<number> =>
  (await store.get(keys.referral(code), referralSchema))?.referred_count ?? 0;
