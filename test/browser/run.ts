/**
 * Runs the tests of the console in a real browser: starts one service and one browser, runs Jest, and ends all of it.
 * Run by `npm run test:browser`; arguments go to Jest.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BrowserServer, chromium } from 'playwright-core';
import { helpIfAsked } from '../../infra/commands/read-options.ts';
import { type Service, startService } from '../integration/local/service.ts';
import { CHROMIUM_ARGUMENTS, findChromium } from './support/chromium.ts';
import { OUTPUT } from './support/screenshots.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const JEST = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
  '--testMatch=**/*.browser.ts',
  '--runInBand',
];

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const GRACE_MS = 10_000;

const startBrowser = async (): Promise<BrowserServer> => {
  const { executablePath, env } = await findChromium(process.env);
  return chromium.launchServer({
    executablePath,
    args: CHROMIUM_ARGUMENTS,
    env: { ...process.env, ...env },
    host: '127.0.0.1',
    // The runner ends the browser after Jest.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
};

const endService = async ({ process: child, exited }: Service): Promise<void> => {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  await exited;
  clearTimeout(timer);
};

const HELP = `npm run test:browser [-- JEST ARGUMENTS]

Runs the tests of the console in a real browser, against a service of their own.`;

/** Runs Jest until it ends or a signal ends it, and returns its exit code. */
const runJest = async (environment: Readonly<Record<string, string>>): Promise<number> => {
  const jest = spawn(process.execPath, [...JEST, ...process.argv.slice(2)], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  });
  for (const signal of SIGNALS) process.on(signal, () => jest.kill(signal));
  const [code] = await once(jest, 'exit');
  return typeof code === 'number' ? code : 1;
};

helpIfAsked(HELP);
await using cleanup = new AsyncDisposableStack();
rmSync(OUTPUT, { recursive: true, force: true });
mkdirSync(OUTPUT, { recursive: true });

// The service ends by itself when this program is gone, as it does with npm.
const service = await startService(
  // No test calls the internet.
  { npm_lifecycle_event: 'test:browser', HUB_CRYPTO_URL: 'http://127.0.0.1:1' },
  '--memory',
);
cleanup.defer(() => endService(service));
cleanup.defer(() => writeFileSync(join(OUTPUT, 'service.log'), service.output()));
const browser = await startBrowser();
cleanup.defer(() => browser.close());
process.exitCode = await runJest({
  HUB_URL: service.url,
  HUB_BUS_URL: /Bus +(\S+)/.exec(service.output())?.[1] ?? '',
  BROWSER_ENDPOINT: browser.wsEndpoint(),
});
