import type { CDPSession, Page } from 'playwright-core';

/** Authenticator of a page, which Chromium simulates. Nobody has to touch it. */
export interface VirtualAuthenticator {
  /** Number of passkeys on it. */
  readonly count: () => Promise<number>;
  /** Puts its counters back, as on a copy that was made before the last uses. */
  readonly turnBack: () => Promise<void>;
}

const credentialsOf = async (cdp: CDPSession, authenticatorId: string) =>
  (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials;

/** Gives a page an authenticator that checks its person and keeps passkeys. */
export const plugIn = async (page: Page): Promise<VirtualAuthenticator> => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    count: async () => (await credentialsOf(cdp, authenticatorId)).length,
    turnBack: async () => {
      for (const credential of await credentialsOf(cdp, authenticatorId)) {
        const { credentialId } = credential;
        await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId });
        await cdp.send('WebAuthn.addCredential', {
          authenticatorId,
          credential: { ...credential, signCount: 0 },
        });
      }
    },
  };
};
