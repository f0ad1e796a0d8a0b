import type { Check, SmokeSettings } from './checks.ts';

/** Result of a check of a running service. */
export interface CheckResult {
  readonly name: string;
  readonly outcome: 'passed' | 'skipped' | 'failed';
  /** Summary of the outcome, or the reason. It holds no credential. */
  readonly about: string;
  readonly durationMs: number;
}

/** Returns the reason of a failure, with its first cause: fetch says only "fetch failed". */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  let first = error;
  while (first.cause instanceof Error) first = first.cause;
  const cause = first.message || ('code' in first ? String(first.code) : first.name);
  return first === error ? error.message : `${error.message}: ${cause}`;
};

/** Runs a check. A failure is a result, so that other checks go on. */
export const runCheck = async ({ name, run }: Check, settings: SmokeSettings): Promise<CheckResult> => {
  const started = performance.now();
  const result = await run(settings).then(
    (outcome) =>
      'passed' in outcome
        ? ({ outcome: 'passed', about: outcome.passed } as const)
        : ({ outcome: 'skipped', about: outcome.skipped } as const),
    (error: unknown) => ({ outcome: 'failed', about: reasonOf(error) }) as const,
  );
  return { name, ...result, durationMs: Math.round(performance.now() - started) };
};
