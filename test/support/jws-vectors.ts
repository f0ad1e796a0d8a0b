import { readFileSync } from 'node:fs';
import { compactVerify, errors } from 'jose';
import * as z from 'zod';
import { IssuerKeys } from '../../shared/auth/issuer-keys.ts';
import { json, startUpstream } from './upstream.ts';

/** The algorithms that an issuer may sign with. */
export const TAKEN = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

/** Algorithms that are sound and that the service never takes: their vectors are refused, whatever the verdict. */
const NOT_TAKEN = new Set(
  ['HS256', 'HS384', 'HS512', 'RS384', 'RS512', 'PS384', 'PS512', 'ES384', 'ES512', 'ES521', 'ES256K'].map(
    String,
  ),
);

const jwk = z.looseObject({ kty: z.string() });

/** Keys are those of a group: `public`, or where it is missing what is public of `private`; a key or a set. */
const key = z.union([z.object({ keys: z.array(jwk) }), jwk.transform((one) => ({ keys: [one] }))]);

const vectors = z.object({
  /** The moment of the vectors; now where it is missing. */
  now: z.iso.datetime().optional(),
  /** Present where the vectors are access tokens of integrators, which the authorizer lets in when valid. */
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

/** Parses vectors that are laid out as Wycheproof's. */
export const parseVectors = (value: unknown): Vectors => vectors.parse(value);

export const readVectors = (path: string | URL): Vectors =>
  parseVectors(JSON.parse(readFileSync(path, 'utf8')));

const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth'];

/** The public keys of a group, as an issuer publishes them. */
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
    return false; // A header that cannot be read names no algorithm: the verdict decides.
  }
};

/** The verdict that the service has to reach on the signature of a vector. */
export const expectedVerdict = (vector: Vector): Vector['result'] =>
  isNotTaken(vector) ? 'invalid' : vector.result;

/**
 * Checks the signature of a vector as the authorizer does: by the library, with the keys that {@link IssuerKeys}
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

/** The vectors of a file whose verdict is not that of their signature. */
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
