import * as z from 'zod';
import type { Call } from '../../../shared/api/call.ts';
import { verifyPassword } from '../../../shared/auth/passwords.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import { findOwners, type User } from '../../../shared/data/users/users.ts';
import type { StepUpWay } from '../../../shared/domain/factors.ts';
import { proveCode } from '../common/prove-code.ts';
import { refusedToken, verifyProviderToken } from '../common/provider-token.ts';
import { wrongCode } from '../common/send-code.ts';
import { refusePassword } from '../common/sign-in.ts';
import { attemptSignIn } from '../common/sign-in-budgets.ts';
import { STEP_UP } from './send-step-up-code.ts';

/** Fields of a proof without a second factor. */
export const plainProof = {
  /** With `code`. */
  password: z.string().optional(),
  /** From the mail of /send_step_up_code. */
  code: z.string().max(32).optional(),
  provider: z.string().optional(),
  id_token: z.string().max(16_384).optional(),
  nonce: z.string().optional(),
} as const;

type PlainProof = z.output<z.ZodObject<typeof plainProof>>;

/** A way to prove who asks, and the check of its proof, which returns the writes that use it up. */
export interface ChosenWay {
  readonly way: StepUpWay;
  readonly prove: (call: Call, user: User, sid: string) => Promise<readonly Write[]>;
}

/** Age of an ID token, in milliseconds, up to which its user just signed in. */
const FRESH_MS = 5 * 60_000;

/** @throws HubError code_invalid */
const proveMailedCode = async (call: Call, user: User, code: string): Promise<Write> => {
  const { userId, use } = await proveCode(call, user.email, STEP_UP, code.replace(/\s/g, ''));
  if (userId !== user.user_id) throw wrongCode();
  return use;
};

/** @throws HubError credentials_invalid, too_many_attempts */
const provePassword = async (call: Call, user: User, password: string): Promise<readonly Write[]> => {
  const attempt = await attemptSignIn(call, user.email, { heldBy: user.user_id });
  const isRight = await verifyPassword(password, attempt.credentials.password_hash, call);
  return isRight ? attempt.right(undefined) : refusePassword(call, attempt);
};

/** Checks that an identity of the user just signed in. @throws HubError id_token_invalid, provider_unknown, upstream_failed */
const proveIdentity = async (
  call: Call,
  { user_id: userId }: User,
  sent: Parameters<typeof verifyProviderToken>[1],
): Promise<readonly Write[]> => {
  const { provider, claims } = await verifyProviderToken(call, sent);
  if (claims.iat * 1000 < call.now.getTime() - FRESH_MS) {
    throw refusedToken('The ID token is too old. Sign in at the provider again.');
  }
  const identity = { issuer: provider.issuer, subject: claims.sub };
  const { byIdentity } = await findOwners(call.store, identity, undefined);
  if (byIdentity !== userId) throw refusedToken('The ID token is of another account.');
  return [];
};

/** Returns the way that a proof without a factor takes; undefined for one without. */
export const plainWay = ({
  password,
  code,
  provider,
  id_token,
  nonce,
}: PlainProof): ChosenWay | undefined => {
  if (code !== undefined) {
    return {
      way: password === undefined ? 'code' : 'password_and_code',
      prove: async (call, user) => {
        // First, so that without the mailbox no answer tells whether the password is right.
        const use = await proveMailedCode(call, user, code);
        return [...(password === undefined ? [] : await provePassword(call, user, password)), use];
      },
    };
  }
  if (provider === undefined || id_token === undefined) return undefined;
  return { way: 'id_token', prove: (call, user) => proveIdentity(call, user, { provider, id_token, nonce }) };
};

/** Errors of each operation that takes a proof without a factor. */
export const PLAIN_PROOF_ERRORS = [
  'credentials_invalid',
  'code_invalid',
  'id_token_invalid',
  'provider_unknown',
  'too_many_attempts',
  'upstream_failed',
] as const;
