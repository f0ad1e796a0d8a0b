import type { Check, SmokeSettings } from '../../../infra/smoke/checks.ts';
import { runCheck } from '../../../infra/smoke/run-check.ts';
import type { BaseRuntime } from '../../../shared/runtime.ts';

/** Metric of a run in which the service passed all checks. An alarm expects it. */
export const CHECKS_PASSED = 'ChecksPassed';

interface Probing {
  readonly operation: string;
  readonly checks: readonly Check[];
  readonly settings: SmokeSettings;
}

/**
 * Checks the service from outside, as a user does. Logs the checks that fail, and counts the run if none does.
 *
 * @returns the number of checks that passed.
 */
export const checkService = async (
  { log, metrics }: Pick<BaseRuntime, 'log' | 'metrics'>,
  { operation, checks, settings }: Probing,
): Promise<number> => {
  const results = await Promise.all(checks.map((check) => runCheck(check, settings)));
  // A skipped check lacks a setting, so it would go unnoticed.
  const failures = results.filter(({ outcome }) => outcome !== 'passed');
  for (const { name, about, durationMs } of failures) {
    log.warn('the service failed a check', { check: name, reason: about, duration_ms: durationMs });
  }
  if (failures.length === 0) metrics.count(CHECKS_PASSED, { operation });
  return results.length - failures.length;
};
