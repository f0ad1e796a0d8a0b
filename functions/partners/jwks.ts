import * as z from 'zod';
import { headOf } from '../../shared/api/head.ts';
import { defineOperation } from '../../shared/api/operation.ts';

export const jwks = defineOperation({
  method: 'GET',
  path: '/.well-known/jwks.json',
  name: 'jwks',
  summary: 'List the public keys of our tokens',
  description:
    'JSON Web Key Set (RFC 7517): the current key and, around a rotation, the previous or next one.',
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
  cache: 'public, max-age=300',
  handler: async (_input, call) => ({ keys: (await call.keyRing()).published }),
});

export const jwksHead = headOf(jwks);
