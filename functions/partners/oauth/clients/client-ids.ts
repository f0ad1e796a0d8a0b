import * as z from 'zod';
import { type KeyRing, sameSecret } from '../../../../shared/auth/key-ring.ts';
import type { OAuthClient } from './oauth-client.ts';

/** Characters of the longest client id: that of a registration with all it may have. */
export const MAX_CLIENT_ID = 4096;

const PURPOSE = 'oauth_client';
const FORMAT = /^hub_client\.([\w-]+)\.([\w-]{43})$/;

/** Name and addresses of a registration. */
const registration = z.tuple([z.string(), z.array(z.string())]);

/** Registration of a client, as its id holds it. */
type Registered = Pick<OAuthClient, 'name' | 'redirects'>;

/**
 * Makes the id of a client that registers itself. It holds the registration and a MAC over it, so strangers store nothing
 * here, and nobody changes a registration.
 */
export const clientIdOf = (ring: KeyRing, { name, redirects }: Registered): string => {
  const held = Buffer.from(JSON.stringify([name, redirects])).toString('base64url');
  return `hub_client.${held}.${ring.mac(PURPOSE, held).toString('base64url')}`;
};

/** Reads the registration in a client id; undefined for any other text. */
export const registrationIn = (ring: KeyRing, clientId: string): Registered | undefined => {
  const [, held, proof] = FORMAT.exec(clientId) ?? [];
  if (!held || !proof) return undefined;
  const ours = ring.macs(PURPOSE, held).map((mac) => sameSecret(mac.toString('base64url'), proof));
  if (!ours.includes(true)) return undefined;
  const [name, redirects] = registration.parse(JSON.parse(Buffer.from(held, 'base64url').toString()));
  return { name, redirects };
};
