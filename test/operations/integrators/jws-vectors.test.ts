import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { createAuthorize } from '../../../functions/authorizer/authorize.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { authorizerEvent } from '../../support/integrators.ts';
import { json, startUpstream, type Upstream } from '../../support/upstream.ts';

const OWN = new URL('./data/jws-vectors.json', import.meta.url);

/** Vectors of other projects, laid out as Wycheproof's: the path of a file. */
const GIVEN = process.env.HUB_JWS_VECTORS;

const jwk = z.looseObject({ kty: z.string() });

/** Keys are those of a group: `public`, or where it is missing what is public of `private`; a key or a set. */
const key = z.union([z.object({ keys: z.array(jwk) }), jwk.transform((one) => ({ keys: [one] }))]);

const vectors = z.object({
  /** The moment of the vectors; now where it is missing. */
  now: z.iso.datetime().optional(),
  /** Who signs them, where they are access tokens of integrators: only then is one that is valid let in. */
  issuer: z.url().optional(),
  subject: z.string().optional(),
  testGroups: z
    .array(
      z.object({
        comment: z.string().optional(),
        public: key.optional(),
        private: key.optional(),
        tests: z
          .array(
            z.object({
              tcId: z.number(),
              comment: z.string(),
              jws: z.unknown(),
              result: z.enum(['valid', 'invalid', 'acceptable']),
            }),
          )
          .min(1),
      }),
    )
    .min(1),
});

const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth'];

const publicPart = (one: z.output<typeof jwk>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(one).filter(([name]) => !SECRET_MEMBERS.includes(name)));

let base: TestHub;
beforeAll(async () => {
  base = await startHub();
});
afterAll(() => base.close());

const files = [
  { name: 'the vectors of this project', path: OWN },
  ...(GIVEN ? [{ name: GIVEN, path: GIVEN }] : []),
].map(({ name, path }) => ({ name, file: vectors.parse(JSON.parse(readFileSync(path, 'utf8'))) }));

describe.each(files)('$name', ({ file }) => {
  const groups = file.testGroups.map((group, index) => ({
    ...group,
    name: group.comment ?? `group ${index}`,
  }));

  describe.each(groups)('$name', ({ tests, ...group }) => {
    let upstream: Upstream;
    beforeEach(async () => {
      const { keys } = group.public ?? group.private ?? { keys: [] };
      upstream = await startUpstream(json({ keys: keys.map(publicPart) }));
    });
    afterEach(() => upstream.close());

    test.each(tests)('$tcId $comment: $result', async ({ jws, result }) => {
      const trusted = {
        issuer: file.issuer ?? 'https://vectors.example',
        jwks_uri: upstream.url,
        algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
        subjects: { [file.subject ?? 'vectors']: 'north' },
      };
      const { runtime } = base.with({ HUB_TRUSTED_ISSUERS: JSON.stringify([trusted]) });
      const clock = () => (file.now === undefined ? new Date() : new Date(file.now));
      const token = typeof jws === 'string' ? jws : JSON.stringify(jws);
      const authorize = createAuthorize({ ...runtime, clock });
      const { isAuthorized } = await authorize(authorizerEvent(`Bearer ${token}`));
      const isAccessToken = file.issuer !== undefined;
      if (result === 'invalid' || !isAccessToken) expect(isAuthorized).toBe(false);
      else if (result === 'valid') expect(isAuthorized).toBe(true);
    });
  });
});
