/** Checks a running service after a deployment: `npm run smoke -- --url https://hub.example`. */
import { parseArgs } from 'node:util';
import { CHECKS, type SmokeSettings } from '../smoke/checks.ts';
import { runCheck } from '../smoke/run-check.ts';
import { explain, UsageError } from './command-line.ts';

const USAGE = `npm run smoke -- --url ADDRESS [--origin ORIGIN] [--sink ADDRESS] [--symbol SYMBOL]

Checks a running service: health, an unknown path, a preflight, the console, a sign-in, a mail, a backtest.
Exits with 1 if a check fails, so that a deployment can be rolled back.

  --url ADDRESS      the service
  --origin ORIGIN    an origin of corsOrigins, for the preflight
  --sink ADDRESS     JSON with the mails that arrived for the probe user: {"items": [{"to": …, "at": …}]}
                     Locally http://localhost:3000/__local/messages.json
  --symbol SYMBOL    an instrument with daily candles, for the backtest

  HUB_PROBE_EMAIL, HUB_PROBE_PASSWORD    the probe user; it is registered at the first time`;

const readSettings = (): SmokeSettings => {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      origin: { type: 'string' },
      sink: { type: 'string' },
      symbol: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const { url, ...rest } = values;
  if (url === undefined || !URL.canParse(url)) throw new UsageError(`--url takes an address.\n\n${USAGE}`);
  const { HUB_PROBE_EMAIL: email, HUB_PROBE_PASSWORD: password } = process.env;
  const probe = email && password ? { email, password } : undefined;
  return { ...rest, url: url.replace(/\/+$/, ''), probe };
};

const LABELS = { passed: 'ok', skipped: 'skipped', failed: 'FAILED' } as const;

/** Runs all checks, also after one that failed, and returns the number of those. */
const runChecks = async (settings: SmokeSettings): Promise<number> => {
  let failed = 0;
  for (const check of CHECKS) {
    const { name, outcome, about, durationMs } = await runCheck(check, settings);
    if (outcome === 'failed') failed += 1;
    console.log(`${name.padEnd(13)} ${LABELS[outcome].padEnd(8)} ${about} (${durationMs} ms)`);
  }
  return failed;
};

try {
  const failed = await runChecks(readSettings());
  console.log(failed === 0 ? 'The service works.' : `${failed} of ${CHECKS.length} checks failed.`);
  if (failed > 0) process.exitCode = 1;
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
