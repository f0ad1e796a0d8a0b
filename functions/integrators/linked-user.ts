import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { type ErrorCode, HubError } from '../../shared/api/errors.ts';
import { isLinkedTo, isOnTrial } from '../../shared/data/broker-accounts.ts';
import { asBroker, type Broker } from '../../shared/data/brokers.ts';
import { keys } from '../../shared/data/keys.ts';
import type { Key } from '../../shared/data/store.ts';
import { asUser, type User } from '../../shared/data/users.ts';

/** What the authorizer says of an integrator. */
const authorized = z.object({ broker: z.string(), expires_at: z.number() });

const owned = z.object({ user_id: z.string().optional() });

/** The errors of every operation that reads a user by e-mail. */
export const READING_ERRORS = [
  'access_token_invalid',
  'broker_suspended',
  'user_unknown',
] as const satisfies readonly ErrorCode[];

/** The one answer to the e-mail of nobody, of another broker's user and of a user without a broker. */
const unknownUser = (): HubError =>
  new HubError('user_unknown', 'No user with this e-mail is linked to your broker.');

/** The gateway keeps a verdict for a while: a token may have ended since. */
const brokerOf = ({ authorized: said, now }: Call): string => {
  const { success, data } = authorized.safeParse(said);
  if (!success || data.expires_at * 1000 <= now.getTime()) {
    throw new HubError('access_token_invalid', 'The access token is over. Get another one at /oauth/token.');
  }
  return data.broker;
};

interface Found {
  /** Who reads. */
  readonly broker: Broker;
  readonly user: User;
  /** What was read beside the user, in order. */
  readonly beside: readonly (Readonly<Record<string, unknown>> | undefined)[];
  /** The item by which the user was found. */
  readonly by: Readonly<Record<string, unknown>>;
}

/**
 * The user to whom an item belongs, if an integrator may read them: one who is linked to its broker, and
 * where no operator approved of the broker, one who registered with it today. Always two calls, whoever it is.
 *
 * @param item an item with the owner's `user_id`: credentials, a deployment.
 * @param beside what else is to be read of the user.
 * @param unknown what is thrown for anybody else.
 * @throws HubError access_token_invalid, broker_suspended
 */
const linkedOwner = async (
  call: Call,
  item: Key,
  beside: (userId: string) => readonly Key[],
  unknown: () => HubError,
): Promise<Found> => {
  const { store, now } = call;
  const subdomain = brokerOf(call);
  const [reader, approval, by] = await store.getMany(
    [keys.broker(subdomain), keys.listedBroker(subdomain), item],
    { consistent: true },
  );
  const broker = asBroker(reader);
  if (!broker || broker.suspended_at !== undefined) {
    throw new HubError('broker_suspended', 'The broker is suspended. Ask the operator of the service.');
  }
  // Nobody's user_id is empty: for an e-mail of nobody, nothing is found at the same price.
  const userId = owned.parse(by ?? {}).user_id ?? '';
  const [found, ...others] = await store.getMany([keys.user(userId), ...beside(userId)], {
    consistent: true,
  });
  const user = asUser(found);
  if (!by || !user || !isLinkedTo(user, broker.subdomain)) throw unknown();
  if (approval === undefined && !isOnTrial(user, broker, now)) throw unknown();
  return { broker, user, beside: others, by };
};

/** The user with an e-mail, if an integrator may read them. @throws HubError as {@link READING_ERRORS} */
export const linkedUser = (
  call: Call,
  email: string,
  beside: (userId: string) => readonly Key[] = () => [],
): Promise<Found> => linkedOwner(call, keys.credentials(email), beside, unknownUser);
