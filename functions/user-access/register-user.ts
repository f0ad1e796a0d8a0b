import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { fingerprint, sameSecret } from '../../shared/auth/key-ring.ts';
import { hashPassword } from '../../shared/auth/passwords.ts';
import { findBroker } from '../../shared/data/brokers/brokers.ts';
import { type Client, findClient } from '../../shared/data/users/clients.ts';
import { presentUser, registeredUser } from '../../shared/records/user.ts';
import { countRegistration } from './common/count-registration.ts';
import { newUser, registerUser as register, unknownBroker } from './common/register.ts';
import { userIn } from './records/registration.ts';

/** Requires a client that has the key. @throws HubError client_key_invalid */
const requireClient = (client: Client | undefined, keyFingerprint: string): void => {
  if (client && sameSecret(client.key_fingerprint, keyFingerprint)) return;
  throw new HubError('client_key_invalid', 'The client key in `auth` is not valid.');
};

export const registerUser = defineOperation({
  method: 'POST',
  path: '/register_user',
  name: 'register_user',
  summary: 'Register a user',
  description: 'For client applications, which authenticate with their key. Does not sign the user in.',
  caller: 'anyone',
  input: { query: z.object({ auth: z.string() }), json: userIn },
  output: registeredUser,
  errors: ['client_key_invalid', 'broker_unknown', 'email_taken', 'rate_limited'],
  table: 'write',
  recheck: async ({ query: { auth } }, call) => {
    const keyFingerprint = fingerprint(auth);
    requireClient(await findClient(call.store, keyFingerprint), keyFingerprint);
  },
  handler: async ({ query, json }, call) => {
    const keyFingerprint = fingerprint(query.auth);
    const [client, broker] = await Promise.all([
      findClient(call.store, keyFingerprint),
      json.broker_domain === undefined ? undefined : findBroker(call.store, json.broker_domain),
    ]);
    requireClient(client, keyFingerprint);
    if (json.broker_domain !== undefined && !broker) throw unknownBroker();
    await countRegistration(call, ['client', keyFingerprint]);
    const user = newUser(call, { ...json, phone: json.ph_number, broker });
    const passwordHash = await hashPassword(json.password, call);
    await register(call, { user, passwordHash, referredBy: json.referral_code });
    return presentUser(user);
  },
});
