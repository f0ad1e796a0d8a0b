import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';

export const jwks = defineOperation({
  method: 'GET',
  path: '/.well-known/jwks.json',
  name: 'jwks',
  summary: 'The public keys that our tokens are signed with',
  description:
    'A JSON Web Key Set (RFC 7517): the key that signs and, around a rotation, the one before or after it.',
  caller: 'anyone',
  extension: true,
  input: {},
  output: z.object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.string(),
        x: z.string(),
        kid: z.string(),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
      }),
    ),
  }),
  errors: [],
  table: 'none',
  handler: async (_input, call) => ({ keys: (await call.keyRing()).published }),
});
