/** Checks a running service after a deployment: `npm run smoke -- --url https://hub.example`. */

import { writeClient } from '../client/write-client.ts';
import type { SmokeSettings } from '../smoke/checks.ts';
import { explain, UsageError } from './command-line.ts';
import { readOptions } from './read-options.ts';

const USAGE = `npm run smoke -- --url ADDRESS [--origin ORIGIN] [--sink ADDRESS] [--symbol SYMBOL]

Checks a running service: health, an unknown path, a preflight, the console, a sign-in, a mail, a backtest.
Exits with 1 if a check fails, so that a deployment can be rolled back.

  --url ADDRESS      the service
  --origin ORIGIN    an origin of corsOrigins, for the preflight
  --sink ADDRESS     JSON with the mails that arrived for the probe user: {"items": [{"to": …, "at": …}]}
                     Locally http://localhost:3000/__local/messages.json
  --symbol SYMBOL    an instrument with daily candles, for the backtest

  HUB_PROBE_EMAIL, HUB_PROBE_PASSWORD    the probe user; it is registered at the first time`;

const readSettings = (): Omit<SmokeSettings, 'probe'> => {
  const { values } = readOptions(USAGE, {
    options: {
      url: { type: 'string' },
      origin: { type: 'string' },
      sink: { type: 'string' },
      symbol: { type: 'string' },
    },
  });
  const { url, ...rest } = values;
  if (url === undefined || !URL.canParse(url)) throw new UsageError(`--url takes an address.\n\n${USAGE}`);
  return { ...rest, url: url.replace(/\/+$/, '') };
};

try {
  const settings = readSettings();
  await writeClient();
  // Load the checks late, as they import the generated client.
  const { probeOf, runChecks } = await import('../smoke/run-checks.ts');
  if ((await runChecks({ ...settings, probe: probeOf(process.env) })) > 0) process.exitCode = 1;
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
