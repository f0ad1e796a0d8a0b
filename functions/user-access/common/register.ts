import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { invalidValue, takenAccount, usedToken } from '../../../shared/api/refusals.ts';
import { readerKeys } from '../../../shared/data/brokers/broker-readers.ts';
import { asBroker, type Broker, findBroker } from '../../../shared/data/brokers/brokers.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys, normaliseEmail } from '../../../shared/data/table/keys.ts';
import { createUser, type NewUser, type User } from '../../../shared/data/users/users.ts';
import { isProven } from '../../../shared/domain/proven.ts';
import { tidy } from '../../../shared/domain/text.ts';
import { textId } from '../../../shared/ids.ts';
import { firstProofWrites } from './proof-mail.ts';

/** Excludes vowels and look-alikes: codes are read aloud and must spell no word. */
const REFERRAL_ALPHABET = '23456789BCDFGHJKMNPQRSTVWXZ';
const REFERRAL_LENGTH = 8;

const referralCode = (random: (bytes: number) => Buffer): string =>
  Array.from(random(REFERRAL_LENGTH), (byte) => REFERRAL_ALPHABET[byte % REFERRAL_ALPHABET.length]).join('');

/** Refuses a registration at an unknown broker. */
export const unknownBroker = (): HubError =>
  new HubError('broker_unknown', 'There is no broker with this domain.');

/** Refuses an e-mail that an account has, also one that is being deleted. */
export const takenEmail = (): HubError =>
  new HubError('email_taken', 'This e-mail is registered already. Sign in, or reset the password.');

/** Finds the broker that a registration names. @throws HubError broker_unknown */
export const namedBroker = async (call: Call, domain: string | undefined): Promise<Broker | undefined> => {
  if (domain === undefined) return undefined;
  const broker = await findBroker(call.store, domain);
  if (!broker) throw unknownBroker();
  return broker;
};

/** Reads the broker that a registration joins, and whether an operator approved it. @throws HubError broker_unknown */
export const brokerToJoin = async (
  call: Call,
  domain: string,
): Promise<{ readonly broker: Broker; readonly isApproved: boolean }> => {
  const items = await call.store.getMany(readerKeys(domain), { consistent: true });
  const broker = asBroker(itemWith(items, keys.broker(domain)));
  if (!broker) throw unknownBroker();
  return { broker, isApproved: itemWith(items, keys.listedBroker(domain)) !== undefined };
};

const NEUTRAL_NAMES = 9000;

/** Makes a name for a user who gave none. Others see names, so it holds nothing of the e-mail. */
export const neutralName = (random: (bytes: number) => Buffer): string =>
  `Trader ${1000 + (random(4).readUInt32BE() % NEUTRAL_NAMES)}`;

export interface Person {
  readonly email: string;
  readonly name: string;
  /** True if an identity provider, or a broker that an operator approved, vouches for the e-mail. */
  readonly isVouchedFor?: boolean;
  readonly phone?: string | undefined;
  readonly country?: string | undefined;
  readonly avatarUrl?: string | undefined;
  readonly broker?: Broker | undefined;
  readonly accountId?: string | undefined;
  readonly serverId?: number | undefined;
  /** True if the broker confirmed that the account belongs to this person. */
  readonly accountVerified?: boolean;
  readonly sessions?: User['sessions'];
  /** True for a person who signs in with an identity provider. */
  readonly isPasswordless?: boolean;
}

/** Makes the record of a new user, with fresh identifiers. */
export const newUser = (call: Call, person: Person): User => {
  const { broker } = person;
  const at = call.now.toISOString();
  const isVouchedFor = person.isVouchedFor ?? false;
  return {
    user_id: textId(call.random),
    user_key: `u_${textId(call.random)}`,
    email: normaliseEmail(person.email),
    name: tidy(person.name),
    avatar_url: person.avatarUrl,
    email_verified: isVouchedFor,
    proven_at: isVouchedFor ? at : undefined,
    ph_number: person.phone,
    ph_verified: false,
    country: person.country,
    plan: 'free',
    plan_status: 'active',
    deploy_used: 0,
    ...(person.isPasswordless && { passwordless: true }),
    password_version: 0,
    referral_code: referralCode(call.random),
    brokers: broker
      ? {
          [broker.subdomain.toLowerCase()]: {
            broker_id: broker.broker_id,
            name: broker.name,
            connected: true,
            account_id: person.accountId,
            server_id: person.serverId,
            connected_at: at,
            ...(person.accountVerified && { sign_in_version: 0 }),
            ...(!(person.accountVerified && isVouchedFor) && { pending: true }),
          },
        }
      : {},
    identities: {},
    sessions: person.sessions ?? {},
    created_at: at,
    last_login_at: person.sessions && at,
  };
};

/**
 * Writes a new user, and mails the proof of the e-mail unless somebody vouches for it.
 *
 * @throws HubError email_taken
 * @throws ValidationError for an unknown referral code
 */
export const registerUser = async (call: Call, registration: NewUser): Promise<void> => {
  const { user, extraWrites = [] } = registration;
  const proof = isProven(user) ? [] : firstProofWrites(call, user).map((write) => ({ write }));
  const failure = await createUser(call.store, { ...registration, extraWrites: [...extraWrites, ...proof] });
  switch (failure) {
    case undefined:
      return;
    case 'email_taken':
    case 'identity_taken':
      throw takenEmail();
    case 'partner_token_used':
      throw usedToken();
    case 'account_taken':
      throw takenAccount();
    case 'referral_unknown':
      throw invalidValue(
        ['body', 'referral_code'],
        'referral code is not known',
        'value_error.referral_code',
      );
    default:
      return failure satisfies never;
  }
};
