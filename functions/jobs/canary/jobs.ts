import { readProbePassword } from '../../../shared/own-secrets.ts';
import type { Job } from '../job.ts';
import { checkService } from './check-service.ts';

type CheckName = 'backtest' | 'consolePage' | 'health' | 'preflight' | 'signIn' | 'unknownPath';

const probing = (
  { name, summary, expression }: Pick<Job, 'name' | 'summary' | 'expression'>,
  names: readonly CheckName[],
): Job => ({
  name,
  summary,
  expression,
  timeZone: 'UTC',
  uses: ['probe'],
  run: async (runtime) => {
    const { HUB_PROBE_EMAIL, HUB_PROBE_SYMBOL, HUB_PROBE_SECRET_ID } = runtime.capability('probe');
    const { HUB_PUBLIC_URL, HUB_CORS_ORIGINS } = runtime.settings;
    const [origin] = HUB_CORS_ORIGINS;
    // Load the checks late: the client that they use is generated from the list of operations, so that no list of
    // functions may need it.
    const checks = await import('../../../infra/smoke/checks.ts');
    const done = await checkService(runtime, {
      operation: name,
      // Without an origin no browser may call the service from elsewhere; without a symbol there is no backtest.
      checks: names
        .filter(
          (one) =>
            !(one === 'preflight' && origin === undefined) &&
            !(one === 'backtest' && HUB_PROBE_SYMBOL === ''),
        )
        .map((one) => checks[one]),
      settings: {
        url: HUB_PUBLIC_URL,
        probe: { email: HUB_PROBE_EMAIL, password: await readProbePassword(HUB_PROBE_SECRET_ID) },
        origin,
        symbol: HUB_PROBE_SYMBOL,
      },
    });
    return { done, more: false };
  },
});

/** Scheduled checks of the service from outside. They read nothing of it but their own password. */
export const CANARY_JOBS: readonly Job[] = [
  probing(
    {
      name: 'check-service',
      summary: 'Uses the service as a user does: health, console, sign-in, a read with the session',
      expression: 'rate(3 minutes)',
    },
    ['health', 'unknownPath', 'preflight', 'consolePage', 'signIn'],
  ),
  probing(
    {
      name: 'check-backtest',
      summary: 'Runs a backtest as a user does, and removes it',
      expression: 'rate(1 hour)',
    },
    ['backtest'],
  ),
];
