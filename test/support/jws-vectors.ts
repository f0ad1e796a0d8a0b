import { readFileSync } from 'node:fs';
import { compactVerify, errors } from 'jose';
import * as z from 'zod';
import { IssuerKeys } from '../../shared/auth/issuer-keys.ts';
import { json, startUpstream } from './upstream.ts';

/** Algorithms of issuers. */
export const TAKEN = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

/** Sound algorithms that the service never accepts. Their vectors are refused with any expected result. */
const NOT_TAKEN = new Set(
  ['HS256', 'HS384', 'HS512', 'RS384', 'RS512', 'PS384', 'PS512', 'ES384', 'ES512', 'ES521', 'ES256K'].map(
    String,
  ),
);

const jwk = z.looseObject({ kty: z.string() });

/** Keys of a group: `public`, or the public part of `private` if it is missing; a key or a set. */
const key = z.union([z.object({ keys: z.array(jwk) }), jwk.transform((one) => ({ keys: [one] }))]);

const vectors = z.object({
  /** Time of the vectors; now if it is missing. */
  now: z.iso.datetime().optional(),
  /** Present if the vectors are access tokens of integrators, which the authorizer allows if valid. */
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

export type Vectors = z.output<typeof vectors>;
type Group = Pick<Vectors['testGroups'][number], 'public' | 'private'>;
export type Vector = Vectors['testGroups'][number]['tests'][number];

/** Parses vectors in the format of Wycheproof. */
export const parseVectors = (value: unknown): Vectors => vectors.parse(value);

export const readVectors = (path: string | URL): Vectors =>
  parseVectors(JSON.parse(readFileSync(path, 'utf8')));

const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth'];

/** Returns the public keys of a group in the form of an issuer. */
export const publishedKeys = (group: Group): { keys: Record<string, unknown>[] } => {
  const { keys } = group.public ?? group.private ?? { keys: [] };
  const publicPart = (one: z.output<typeof jwk>) =>
    Object.fromEntries(Object.entries(one).filter(([name]) => !SECRET_MEMBERS.includes(name)));
  return { keys: keys.map(publicPart) };
};

export const tokenOf = ({ jws }: Vector): string => (typeof jws === 'string' ? jws : JSON.stringify(jws));

const header = z.object({ alg: z.string() });

/** Tells whether a vector names an algorithm that the service never accepts. */
const isNotTaken = (vector: Vector): boolean => {
  const [first = ''] = tokenOf(vector).split('.');
  try {
    const { success, data } = header.safeParse(JSON.parse(Buffer.from(first, 'base64url').toString()));
    return success && NOT_TAKEN.has(data.alg);
  } catch {
    return false; // An unreadable header names no algorithm, so the expected result decides.
  }
};

/** Returns the expected result for the signature of a vector. */
export const expectedVerdict = (vector: Vector): Vector['result'] =>
  isNotTaken(vector) ? 'invalid' : vector.result;

/**
 * Checks the signature of a vector like the authorizer: by the library, with the keys that {@link IssuerKeys}
 * finds, under the algorithms that an issuer may use. No claims are read, so any payload reaches the signature.
 */
const checkSignature = async (keys: IssuerKeys, vector: Vector, now: Date): Promise<'valid' | 'invalid'> => {
  try {
    await compactVerify(tokenOf(vector), (head, token) => keys.find(now, head, token), {
      algorithms: [...TAKEN],
    });
    return 'valid';
  } catch (error) {
    if (error instanceof errors.JOSEError) return 'invalid';
    throw error;
  }
};

/** Checks the signatures of vectors with the keys of their group. */
export const checkSignatures = async (
  group: Group,
  tests: readonly Vector[],
  now = new Date(),
): Promise<('valid' | 'invalid')[]> => {
  const upstream = await startUpstream(json(publishedKeys(group)));
  try {
    const keys = new IssuerKeys(upstream.url);
    const verdicts: ('valid' | 'invalid')[] = [];
    for (const vector of tests) verdicts.push(await checkSignature(keys, vector, now));
    return verdicts;
  } finally {
    await upstream.close();
  }
};

/** Returns the vectors of a file whose expected result differs from the check of their signature. */
export const wrongVerdicts = async (file: Vectors): Promise<number[]> => {
  const wrong: number[] = [];
  for (const { tests, ...group } of file.testGroups) {
    const verdicts = await checkSignatures(group, tests);
    for (const [index, vector] of tests.entries()) {
      const expected = expectedVerdict(vector);
      if (expected !== 'acceptable' && expected !== verdicts[index]) wrong.push(vector.tcId);
    }
  }
  return wrong;
};
