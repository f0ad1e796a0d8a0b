import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Factors, Passkey } from '../data/users/factors.ts';
import type { User } from '../data/users/users.ts';
import type { CoreSettings } from '../settings.ts';
import { fingerprint } from './key-ring.ts';

/** Loads the library at its first use, as sign-ins with a password must not wait for it. */
const library = () => import('@simplewebauthn/server');

/** Time that a person has to use an authenticator. */
const PATIENCE_MS = 5 * 60_000;

/** Site that passkeys are for. */
interface RelyingParty {
  readonly id: string;
  readonly origins: readonly string[];
}

/**
 * Returns the site that passkeys are for: the host of the public address. Web apps on its sub-domains may use them, if they
 * are allowed origins of the API; browsers refuse them to all other sites.
 */
export const relyingParty = ({
  HUB_PUBLIC_URL: url,
  HUB_CORS_ORIGINS: others,
}: Pick<CoreSettings, 'HUB_PUBLIC_URL' | 'HUB_CORS_ORIGINS'>): RelyingParty => {
  const { hostname: id, origin } = new URL(url);
  const isOwn = (other: string): boolean => {
    const host = URL.parse(other)?.hostname;
    return host === id || (host?.endsWith(`.${id}`) ?? false);
  };
  return { id, origins: [origin, ...others.filter(isOwn)] };
};

/** Characters of base64url that are whole bytes: 24. */
const HANDLE_LENGTH = 32;

/** Returns the name of a user for authenticators, which show it to other programs: a `user_id` is a credential. */
export const userHandle = (userId: string): string =>
  fingerprint(JSON.stringify(['passkey', userId])).slice(0, HANDLE_LENGTH);

/** Thrown for an answer of an authenticator that the library refuses. */
export class PasskeyRefusedError extends Error {
  constructor(cause?: unknown) {
    super('the passkey was refused', { cause });
    this.name = 'PasskeyRefusedError';
  }
}

/** Runs a check of the library, which throws plain errors for whatever it refuses. */
const refusing = async <T>(check: () => Promise<T>): Promise<T> => {
  try {
    return await check();
  } catch (error) {
    throw new PasskeyRefusedError(error);
  }
};

const descriptorsOf = ({ passkeys }: Factors): { id: string; transports: string[] }[] =>
  Object.entries(passkeys).map(([id, { transports }]) => ({ id, transports }));

/** Returns the options with which a browser makes a passkey. */
export const registrationOptions = async (
  party: RelyingParty,
  user: Pick<User, 'user_id' | 'email' | 'name'>,
  factors: Factors,
  challenge: Uint8Array<ArrayBuffer>,
): Promise<PublicKeyCredentialCreationOptionsJSON> => {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: 'Strategy Hub',
    rpID: party.id,
    userName: user.email,
    userDisplayName: user.name,
    userID: Uint8Array.from(Buffer.from(userHandle(user.user_id), 'base64url')),
    challenge,
    timeout: PATIENCE_MS,
    attestationType: 'none',
    excludeCredentials: descriptorsOf(factors),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
};

/** Returns the options with which a browser uses a passkey; without factors, any that it has for the site. */
export const assertionOptions = async (
  party: RelyingParty,
  factors: Factors | undefined,
  challenge: Uint8Array<ArrayBuffer>,
): Promise<PublicKeyCredentialRequestOptionsJSON> => {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge,
    timeout: PATIENCE_MS,
    userVerification: 'required',
    ...(factors && { allowCredentials: descriptorsOf(factors) }),
  });
};

/** Checks a new passkey. @throws PasskeyRefusedError */
export const verifyRegistration = async (
  party: RelyingParty,
  response: RegistrationResponseJSON,
  isChallenge: (challenge: string) => boolean,
): Promise<{ readonly id: string; readonly passkey: Omit<Passkey, 'name' | 'added_at'> }> => {
  const { verifyRegistrationResponse } = await library();
  const { verified, registrationInfo } = await refusing(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge: isChallenge,
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      requireUserVerification: true,
    }),
  );
  if (!verified) throw new PasskeyRefusedError();
  const { credential, credentialBackedUp } = registrationInfo;
  return {
    id: credential.id,
    passkey: {
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: credential.transports ?? [],
      backed_up: credentialBackedUp,
    },
  };
};

/** Checks a use of a passkey, but not its counter. @returns the counter. @throws PasskeyRefusedError */
export const verifyAssertion = async (
  party: RelyingParty,
  response: AuthenticationResponseJSON,
  { public_key: publicKey }: Passkey,
  isChallenge: (challenge: string) => boolean,
): Promise<number> => {
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await refusing(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: isChallenge,
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      requireUserVerification: true,
      // The caller compares the counters, once the signature is known to be right.
      credential: {
        id: response.id,
        publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64url')),
        counter: 0,
      },
    }),
  );
  if (!verified) throw new PasskeyRefusedError();
  return authenticationInfo.newCounter;
};
