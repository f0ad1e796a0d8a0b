import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { record } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import type { IdTokenClaims } from '../../shared/auth/id-token.ts';
import { newSession, presentSession } from '../../shared/callers/open-session.ts';
import { originOf } from '../../shared/callers/origin.ts';
import { signedInWrite } from '../../shared/callers/sign-in-events.ts';
import { outboxWrite } from '../../shared/data/outbox/outbox.ts';
import { noteSecurityEvent } from '../../shared/data/users/security-events.ts';
import { linkIdentity, openSession } from '../../shared/data/users/sessions.ts';
import { findOwners, findUser, unlessLeaving } from '../../shared/data/users/users.ts';
import { isProven } from '../../shared/domain/proven.ts';
import { textId } from '../../shared/ids.ts';
import { type UserCustomOut, userCustomOut } from '../../shared/records/user.ts';
import type { IdentityProvider } from '../../shared/settings.ts';
import { countRegistration } from './common/count-registration.ts';
import { refusedToken, verifyProviderToken } from './common/provider-token.ts';
import { namedBroker, neutralName, newUser, registerUser, takenEmail } from './common/register.ts';
import { registration } from './records/registration.ts';

const idpAuthRequest = record(
  'IdpAuthRequest',
  z.object({
    provider: z.string(),
    id_token: z.string().max(16_384),
    nonce: z.string().optional(),
    referral_code: registration.referral_code.optional(),
    broker_domain: registration.broker_domain.optional(),
  }),
);

type Request = z.output<typeof idpAuthRequest>;

/** Reads the e-mail of the claims by the rules of a registration. */
const emailOf = ({ email }: IdTokenClaims): string | undefined => {
  const parsed = registration.email.safeParse(email);
  return parsed.success ? parsed.data : undefined;
};

const textOr = <T>(schema: z.ZodType<string>, value: string | undefined, otherwise: T): string | T => {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : otherwise;
};

const signUp = async (
  call: Call,
  request: Request,
  {
    claims,
    email,
    identity,
  }: { claims: IdTokenClaims; email: string; identity: { issuer: string; subject: string } },
): Promise<UserCustomOut> => {
  await countRegistration(call, ['provider', request.provider]);
  const { sid, session } = newSession(call);
  const user = newUser(call, {
    email,
    name: textOr(registration.name, claims.name, neutralName(call.random)),
    avatarUrl: textOr(z.url({ protocol: /^https$/ }).max(500), claims.picture, undefined),
    isVouchedFor: true,
    broker: await namedBroker(call, request.broker_domain),
    sessions: { [sid]: session },
    isPasswordless: true,
  });
  await registerUser(call, { user, identity, referredBy: request.referral_code });
  return presentSession(call, user, { sid, generation: 0, isNewUser: true });
};

const signIn = async (
  call: Call,
  request: Request,
  provider: IdentityProvider,
  claims: IdTokenClaims,
): Promise<UserCustomOut> => {
  const identity = { issuer: provider.issuer, subject: claims.sub };
  const email = emailOf(claims);
  const opened = newSession(call);
  const { sid } = opened;
  const owners = await findOwners(call.store, identity, email);

  if (owners.byIdentity !== undefined) {
    const entered = await openSession(call.store, owners.byIdentity, opened);
    if (!entered) throw refusedToken('The account of this identity is gone.');
    await noteSecurityEvent(call.store, entered, {
      kind: 'signed_in',
      ...originOf(call),
      now: call.now,
    });
    return presentSession(call, entered, { sid, generation: 0, isNewUser: false });
  }

  if (email === undefined) throw refusedToken('The identity provider gave no usable e-mail.');
  const user =
    owners.byEmail === undefined ? undefined : unlessLeaving(await findUser(call.store, owners.byEmail));
  // Both the claims and the account need a verified e-mail. Otherwise a stranger could register the e-mail of
  // another person first, and share the account with its owner.
  if (claims.email_verified !== true || (user && !isProven(user))) {
    throw new HubError(
      'email_unverified',
      user
        ? 'An account with this e-mail exists. Reset its password with a mailed code, then sign in with the provider.'
        : 'The identity provider has not verified the e-mail.',
    );
  }
  if (user) {
    const linked = await linkIdentity(call.store, user, identity, opened, [
      signedInWrite(call, user),
      outboxWrite(
        textId(call.random),
        { kind: 'account_secured', user_id: user.user_id, by: 'identity' },
        call.now,
      ),
    ]);
    if (!linked) throw refusedToken('The identity was linked in the same moment. Try again.');
    return presentSession(call, linked, { sid, generation: 0, isNewUser: false });
  }
  // The e-mail waits until its deleted account is gone.
  if (owners.byEmail !== undefined) throw takenEmail();
  return signUp(call, request, { claims, email, identity });
};

export const authIdp = defineOperation({
  method: 'POST',
  path: '/auth/idp',
  name: 'auth_idp',
  summary: 'Sign in with an identity provider',
  description:
    'Takes an OpenID Connect ID token. A known identity is signed in. A new one is linked to the account with the same e-mail if both e-mails are verified; otherwise it gets a new account.',
  caller: 'anyone',
  // An ID token alone may have 16 KB.
  limits: { body: 32 * 1024 },
  cookies: 'own_site',
  input: { json: idpAuthRequest },
  output: userCustomOut,
  errors: [
    'provider_unknown',
    'id_token_invalid',
    'email_unverified',
    'email_taken',
    'broker_unknown',
    'rate_limited',
    'upstream_failed',
  ],
  table: 'write',
  uses: ['identity'],
  handler: async ({ json }, call) => {
    const { provider, claims } = await verifyProviderToken(call, json);
    return signIn(call, json, provider, claims);
  },
});
