import { CHECKS, type SmokeSettings } from './checks.ts';
import { runCheck } from './run-check.ts';

const LABELS = { passed: 'ok', skipped: 'skipped', failed: 'FAILED' } as const;

/** Reads the user of the smoke test. Without one, checks that need it are skipped. */
export const probeOf = ({
  HUB_PROBE_EMAIL: email,
  HUB_PROBE_PASSWORD: password,
}: NodeJS.ProcessEnv): SmokeSettings['probe'] => (email && password ? { email, password } : undefined);

/** Runs all checks, also after one that failed, prints their outcomes, and returns the number of failed ones. */
export const runChecks = async (settings: SmokeSettings): Promise<number> => {
  let failed = 0;
  const skipped: string[] = [];
  for (const check of CHECKS) {
    const { name, outcome, about, durationMs } = await runCheck(check, settings);
    if (outcome === 'failed') failed += 1;
    if (outcome === 'skipped') skipped.push(name);
    console.log(`${name.padEnd(13)} ${LABELS[outcome].padEnd(8)} ${about} (${durationMs} ms)`);
  }
  const verdict =
    skipped.length === 0 ? 'The service works.' : 'The service works, as far as it was checked.';
  console.log(failed === 0 ? verdict : `${failed} of ${CHECKS.length} checks failed.`);
  if (skipped.length > 0) console.log(`Not checked: ${skipped.join(', ')}.`);
  return failed;
};
