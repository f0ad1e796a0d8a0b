import {
  type AuthenticationResponseJSON,
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';
import type { UsedPasskey } from '../../../infra/client/package/src/index.ts';
import { NoPasskeyError } from './no-passkey.ts';

/** Passkeys of the browser. Loaded when somebody uses one. */

/** Trusts the service to send the options as WebAuthn defines them. */
const trusted = <T>(options: object): T => JSON.parse(JSON.stringify(options));

/** Lets the browser ask for a passkey. @throws NoPasskeyError */
const asked = async <T>(ask: () => Promise<T>): Promise<T> => {
  if (!browserSupportsWebAuthn()) throw new NoPasskeyError('This browser has no passkeys.');
  try {
    return await ask();
  } catch (error) {
    if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') {
      throw new NoPasskeyError('This device has a passkey for your account already.');
    }
    // Browsers tell neither a refusal of the person nor a lack of passkeys apart.
    if (error instanceof Error && (error instanceof WebAuthnError || error.name === 'NotAllowedError')) {
      throw new NoPasskeyError('No passkey was used. Try again, or choose another way.');
    }
    throw error;
  }
};

const usedOf = ({ id, rawId, type, response }: AuthenticationResponseJSON): UsedPasskey => ({
  id,
  rawId,
  type,
  response: {
    clientDataJSON: response.clientDataJSON,
    authenticatorData: response.authenticatorData,
    signature: response.signature,
    ...(response.userHandle !== undefined && { userHandle: response.userHandle }),
  },
});

/** Uses a passkey for the options of the service. @throws NoPasskeyError */
export const usePasskey = async (options: object): Promise<UsedPasskey> =>
  usedOf(
    await asked(() =>
      startAuthentication({ optionsJSON: trusted<PublicKeyCredentialRequestOptionsJSON>(options) }),
    ),
  );

const madeOf = ({ id, rawId, type, response }: RegistrationResponseJSON) => ({
  id,
  rawId,
  type,
  response: {
    clientDataJSON: response.clientDataJSON,
    attestationObject: response.attestationObject,
    ...(response.transports && { transports: [...response.transports] }),
  },
});

/** Makes a passkey for the options of the service. @throws NoPasskeyError */
export const makePasskey = async (options: object) =>
  madeOf(
    await asked(() =>
      startRegistration({ optionsJSON: trusted<PublicKeyCredentialCreationOptionsJSON>(options) }),
    ),
  );
