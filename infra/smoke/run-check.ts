import type { Check, SmokeSettings } from './checks.ts';

/** Result of a check of a running service. */
export interface CheckResult {
  readonly name: string;
  readonly outcome: 'passed' | 'skipped' | 'failed';
  /** Summary of the outcome, or the reason. It holds no credential. */
  readonly about: string;
  readonly durationMs: number;
}

/** Runs a check. A failure is a result, so that other checks go on. */
export const runCheck = async ({ name, run }: Check, settings: SmokeSettings): Promise<CheckResult> => {
  const started = performance.now();
  const result = await run(settings).then(
    (outcome) =>
      'passed' in outcome
        ? ({ outcome: 'passed', about: outcome.passed } as const)
        : ({ outcome: 'skipped', about: outcome.skipped } as const),
    (error: unknown) =>
      ({ outcome: 'failed', about: error instanceof Error ? error.message : String(error) }) as const,
  );
  return { name, ...result, durationMs: Math.round(performance.now() - started) };
};
