import { own, withUnknownOf } from './unknown-fields.ts';

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
const RECOVERY_MS = 24 * 3_600_000;
/** Time after which a removal of lost factors takes effect. */
export const REMOVAL_MS = 24 * 3_600_000;
/**
 * Time after a recovery in which a first factor may be that of a thief of the mailbox, and time after it in which the
 * owner ends it by another reset. Otherwise the factor of the thief would keep the owner out for good.
 */
const REVOCABLE_MS = 72 * 3_600_000;

/** Counts the factors of an account. */
export interface FactorCounts {
  readonly passkeys: number;
  readonly totp: boolean;
  readonly recovery_codes: number;
  /** Time at which lost factors end. */
  readonly end_at?: string | undefined;
  /** Time until which a reset by mail ends the factors, because they were added soon after a recovery. */
  readonly revocable_until?: string | undefined;
}

/** Fields of an account that decide about step-ups and recoveries. */
interface Account {
  readonly factors?: FactorCounts | undefined;
  readonly passwordless?: boolean | undefined;
  readonly recovered_at?: string | undefined;
  readonly sessions: Readonly<
    Record<
      string,
      { readonly stepped_up_at?: number | undefined; readonly stepped_up_in?: number | undefined }
    >
  >;
}

/** Returns the factors that an account has now; undefined without any. Recovery codes alone are none. */
export const factorsOf = ({ factors }: Pick<Account, 'factors'>, now: Date): FactorCounts | undefined => {
  if (!factors || (factors.passkeys === 0 && !factors.totp)) return undefined;
  const hasEnded = factors.end_at !== undefined && Date.parse(factors.end_at) <= now.getTime();
  return hasEnded ? undefined : factors;
};

/** Lists the ways in which an account steps up without a factor. */
export const plainWays = ({ passwordless = false }: Pick<Account, 'passwordless'>): StepUpWay[] =>
  passwordless ? ['id_token', 'code'] : ['password_and_code'];

/** Lists the ways in which an account steps up. */
export const stepUpWays = (account: Pick<Account, 'factors' | 'passwordless'>, now: Date): StepUpWay[] => {
  const factors = factorsOf(account, now);
  if (!factors) return plainWays(account);
  return [
    ...(factors.passkeys > 0 ? (['passkey'] as const) : []),
    ...(factors.totp ? (['totp'] as const) : []),
    ...(factors.recovery_codes > 0 ? (['recovery_code'] as const) : []),
  ];
};

/** Token of a session. */
interface SessionToken {
  readonly sid: string;
  readonly generation?: number | undefined;
}

/**
 * Returns until when (epoch ms) a token of a session counts as stepped up; undefined if it does not. A renewal ends it: who
 * renews may have stolen the refresh token.
 */
export const steppedUpUntil = (
  { sessions }: Pick<Account, 'sessions'>,
  { sid, generation = 0 }: SessionToken,
  now: Date,
): number | undefined => {
  const { stepped_up_at: at, stepped_up_in: steppedUpIn = 0 } = own(sessions, sid) ?? {};
  const until = at === undefined || steppedUpIn !== generation ? 0 : at * 1000 + STEP_UP_MS;
  return until > now.getTime() ? until : undefined;
};

/** Returns the time of the last recovery of an account. The end of lost factors is one. */
export const recoveredAt = (
  { recovered_at: at, factors }: Pick<Account, 'recovered_at' | 'factors'>,
  now: Date,
): string | undefined => {
  const ended = [at, factors?.end_at].filter(
    (each) => each !== undefined && Date.parse(each) <= now.getTime(),
  );
  return ended.toSorted().at(-1);
};

/** Returns until when (epoch ms) an account waits after a recovery; undefined if it does not wait. */
export const recoveryUntil = (
  account: Pick<Account, 'recovered_at' | 'factors'>,
  now: Date,
): number | undefined => {
  const at = recoveredAt(account, now);
  const until = at === undefined ? 0 : Date.parse(at) + RECOVERY_MS;
  return until > now.getTime() ? until : undefined;
};

/** Returns the counts of factors as they are stored, with what stays of those before. */
export const changedCounts = (
  account: Pick<Account, 'recovered_at' | 'factors'>,
  counts: FactorCounts,
  now: Date,
): FactorCounts => {
  const before = factorsOf(account, now);
  if (before) {
    const { end_at, revocable_until } = before;
    const kept = { ...(end_at && { end_at }), ...(revocable_until && { revocable_until }) };
    return withUnknownOf(before, { ...counts, ...kept });
  }
  const recovered = recoveredAt(account, now);
  const isRecent = recovered !== undefined && Date.parse(recovered) + REVOCABLE_MS > now.getTime();
  if (!isRecent) return counts;
  return { ...counts, revocable_until: new Date(now.getTime() + REVOCABLE_MS).toISOString() };
};

/** Tells whether a reset of the password by mail ends the factors. */
export const areRevocable = ({ factors }: Pick<Account, 'factors'>, now: Date): boolean =>
  factors?.revocable_until !== undefined && Date.parse(factors.revocable_until) > now.getTime();
