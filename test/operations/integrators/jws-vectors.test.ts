import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CompactSign, exportJWK, generateKeyPair } from 'jose';
import { createAuthorize } from '../../../functions/authorizer/authorize.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { authorizerEvent } from '../../support/integrators.ts';
import {
  checkSignatures,
  expectedVerdict,
  parseVectors,
  publishedKeys,
  readVectors,
  TAKEN,
  tokenOf,
  type Vectors,
  wrongVerdicts,
} from '../../support/jws-vectors.ts';
import { json, startUpstream, type Upstream } from '../../support/upstream.ts';

const OWN = new URL('./data/jws-vectors.json', import.meta.url);

/** Path of a file with vectors of other projects, in the format of Wycheproof. */
const GIVEN = process.env.HUB_JWS_VECTORS;

let base: TestHub;
beforeAll(async () => {
  base = await startHub();
});
afterAll(() => base.close());

const files = [
  { name: 'the vectors of this project', file: readVectors(OWN) },
  ...(GIVEN ? [{ name: GIVEN, file: readVectors(GIVEN) }] : []),
];

describe.each(files)('$name', ({ file }) => {
  const groups = file.testGroups.map((group, index) => ({
    ...group,
    name: group.comment ?? `group ${index}`,
  }));
  const isAccessToken = file.issuer !== undefined;

  describe.each(groups)('$name', ({ tests, ...group }) => {
    let upstream: Upstream;
    beforeAll(async () => {
      upstream = await startUpstream(json(publishedKeys(group)));
    });
    afterAll(() => upstream.close());

    test.each(tests)('$tcId $comment: $result', async (vector) => {
      const trusted = {
        issuer: file.issuer ?? 'https://vectors.example',
        jwks_uri: upstream.url,
        algorithms: TAKEN,
        subjects: { [file.subject ?? 'vectors']: 'north' },
      };
      const { runtime } = base.with({ HUB_TRUSTED_ISSUERS: JSON.stringify([trusted]) });
      const clock = () => (file.now === undefined ? new Date() : new Date(file.now));
      const authorize = createAuthorize({ ...runtime, clock });
      const { isAuthorized } = await authorize(authorizerEvent(`Bearer ${tokenOf(vector)}`));
      if (!isAccessToken) {
        // The authorizer refuses payloads that are no access tokens, so this checks only the signature.
        expect(isAuthorized).toBe(false);
        const expected = expectedVerdict(vector);
        const [verdict] = await checkSignatures(group, [vector]);
        if (expected !== 'acceptable') expect(verdict).toBe(expected);
      } else if (vector.result !== 'acceptable') {
        expect(isAuthorized).toBe(vector.result === 'valid');
      }
    });
  });
});

/** Vectors like those of other projects, whose payloads are no claims. */
const foreignVectors = async (): Promise<Vectors> => {
  let tcId = 0;
  const groups = TAKEN.map(async (alg) => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const jws = await new CompactSign(Buffer.from('foo'))
      .setProtectedHeader({ alg, kid: alg })
      .sign(privateKey);
    const [head, , signature] = jws.split('.');
    const vector = (comment: string, text: string, result: string) => ({
      tcId: ++tcId,
      comment,
      jws: text,
      result,
    });
    return {
      comment: alg,
      public: { ...(await exportJWK(publicKey)), kid: alg, alg, use: 'sig' },
      tests: [
        vector('valid', jws, 'valid'),
        vector('another payload', `${head}.WG9v.${signature}`, 'invalid'),
        vector('no signature', `${head}.Zm9v.`, 'invalid'),
        vector('empty', '', 'invalid'),
      ],
    };
  });
  return parseVectors({ testGroups: await Promise.all(groups) });
};

describe('vectors whose payloads are no claims', () => {
  test('reach the signature check with each algorithm', async () => {
    expect(await wrongVerdicts(await foreignVectors())).toEqual([]);
  });

  test('fail one by one if the expected result is wrong', async () => {
    const { testGroups } = await foreignVectors();
    const turned = { valid: 'invalid', invalid: 'valid', acceptable: 'acceptable' } as const;
    for (const group of testGroups) {
      for (const wrong of group.tests) {
        const tests = group.tests.map((vector) =>
          vector === wrong ? { ...vector, result: turned[vector.result] } : vector,
        );
        expect(await wrongVerdicts({ testGroups: [{ ...group, tests }] })).toEqual([wrong.tcId]);
      }
    }
  });

  test('are refused with the key of another use, and with an algorithm that the service never accepts', async () => {
    const { testGroups } = await foreignVectors();
    for (const { tests, public: published } of testGroups) {
      const keys = (published?.keys ?? []).map((one) => ({ ...one, use: 'enc' }));
      expect(await checkSignatures({ public: { keys } }, tests)).toEqual(tests.map(() => 'invalid'));
    }
    const secret = new Uint8Array(32);
    const jws = await new CompactSign(Buffer.from('foo')).setProtectedHeader({ alg: 'HS256' }).sign(secret);
    const vector = { tcId: 1, comment: 'symmetric', jws, result: 'valid' } as const;
    const symmetric = { kty: 'oct', alg: 'HS256', k: Buffer.from(secret).toString('base64url') };
    expect(
      await wrongVerdicts({ testGroups: [{ private: { keys: [symmetric] }, tests: [vector] }] }),
    ).toEqual([]);
  });
});
