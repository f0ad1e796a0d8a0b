import { own } from './unknown-fields.ts';

/** Ways to prove once more who asks. An account with a factor uses its factors only. */
export const STEP_UP_WAYS = [
  'passkey',
  'totp',
  'recovery_code',
  'password_and_code',
  'id_token',
  'code',
] as const;
export type StepUpWay = (typeof STEP_UP_WAYS)[number];

/** Time for which a step-up counts. */
export const STEP_UP_MS = 10 * 60_000;
/** Time after a recovery in which nothing begins that trades real money. */
export const RECOVERY_MS = 24 * 3_600_000;

/** What an account has of factors. */
export interface FactorCounts {
  readonly passkeys: number;
  readonly totp: boolean;
  readonly recovery_codes: number;
}

/** Fields of an account that decide about step-ups and recoveries. */
interface Account {
  readonly factors?: FactorCounts | undefined;
  readonly passwordless?: boolean | undefined;
  readonly recovered_at?: string | undefined;
  readonly sessions: Readonly<Record<string, { readonly stepped_up_at?: number | undefined }>>;
}

/** Tells whether an account has a second factor. Recovery codes alone are none. */
export const hasFactor = ({ factors }: Pick<Account, 'factors'>): boolean =>
  factors !== undefined && (factors.passkeys > 0 || factors.totp);

/** Lists the ways in which an account steps up. */
export const stepUpWays = (account: Pick<Account, 'factors' | 'passwordless'>): StepUpWay[] => {
  const { factors } = account;
  if (!factors || !hasFactor(account)) {
    return account.passwordless ? ['id_token', 'code'] : ['password_and_code'];
  }
  return [
    ...(factors.passkeys > 0 ? (['passkey'] as const) : []),
    ...(factors.totp ? (['totp'] as const) : []),
    ...(factors.recovery_codes > 0 ? (['recovery_code'] as const) : []),
  ];
};

/** Returns until when (epoch ms) a session counts as stepped up; undefined if it does not. */
export const steppedUpUntil = ({ sessions }: Account, sid: string, now: Date): number | undefined => {
  const at = own(sessions, sid)?.stepped_up_at;
  const until = at === undefined ? 0 : at * 1000 + STEP_UP_MS;
  return until > now.getTime() ? until : undefined;
};

/** Returns until when (epoch ms) an account waits after a recovery; undefined if it does not wait. */
export const recoveryUntil = (
  { recovered_at: at }: Pick<Account, 'recovered_at'>,
  now: Date,
): number | undefined => {
  const until = at === undefined ? 0 : Date.parse(at) + RECOVERY_MS;
  return until > now.getTime() ? until : undefined;
};
