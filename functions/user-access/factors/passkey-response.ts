import * as z from 'zod';
import { extensionRecord } from '../../../shared/api/fields.ts';

/** Bytes of a WebAuthn answer, in the form that browsers give. */
const bytes = (max = 16_384) =>
  z
    .string()
    .regex(/^[\w-]*$/)
    .max(max);

const common = {
  id: bytes(1400),
  rawId: bytes(1400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['cross-platform', 'platform']).exactOptional(),
  clientExtensionResults: z.object({}).default({}),
};

/** Answer of a browser that made a passkey, as `RegistrationResponseJSON` of WebAuthn. */
export const newPasskey = extensionRecord(
  'NewPasskey',
  z.object({
    ...common,
    response: z.object({
      clientDataJSON: bytes(),
      attestationObject: bytes(),
      transports: z.array(z.string().max(32)).max(10).exactOptional(),
    }),
  }),
);

/** Answer of a browser that used a passkey, as `AuthenticationResponseJSON` of WebAuthn. */
export const usedPasskey = extensionRecord(
  'UsedPasskey',
  z.object({
    ...common,
    response: z.object({
      clientDataJSON: bytes(),
      authenticatorData: bytes(),
      signature: bytes(),
      userHandle: bytes(128).exactOptional(),
    }),
  }),
);

export type UsedPasskey = z.output<typeof usedPasskey>;
