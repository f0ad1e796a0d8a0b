import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { requireComplete } from '../../infra/complete-stages.ts';
import { STAGES } from '../../infra/config.ts';
import { defineStage } from '../../infra/stage.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { inSoak } from '../support/soak.ts';
import { emptyBundles, PRODUCTION } from './inputs.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);
const CDK = require.resolve('aws-cdk/bin/cdk');
/** In ms. The CLI starts the app in a new process, which takes long on a busy machine. */
const APP = 'node test/infra/fixtures/synth-app.ts';

let outdir: string;
let bundleDir: string;
beforeAll(async () => {
  outdir = await mkdtemp(join(tmpdir(), 'hub-cdk-'));
  bundleDir = emptyBundles();
});
afterAll(async () => {
  await Promise.all([outdir, bundleDir].map((dir) => rm(dir, { recursive: true })));
});

/** Runs a program on this version of Node. */
const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const env = { ...CHILD_ENVIRONMENT, HOME: outdir, BUNDLE_DIR: bundleDir, ...environment };
    const child = execFile(process.execPath, [...args], { cwd: ROOT, env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, output: stdout + stderr }),
    );
  });

/** Runs the CDK CLI on the app of the fixture. */
const synth = (stacks: string, environment: Readonly<Record<string, string>> = {}) =>
  run([CDK, 'synth', '--quiet', stacks, '--app', APP, '--output', outdir], environment);

describe('cdk synth', () => {
  inSoak('passes where cdk-nag finds nothing', async () => {
    expect(await synth('dev/*')).toMatchObject({ code: 0 });
  });

  // The first one selects a stack without the finding.
  for (const stacks of ['dev/api', 'dev/*', '']) {
    inSoak(`fails on a finding where the CLI selects '${stacks}'`, async () => {
      const { code, output } = await synth(stacks, { UNCHECKED_QUEUE: 'yes' });
      expect(output).toContain('AwsSolutions-SQS4');
      expect(output).toContain('dev/data/Unchecked');
      expect(code).toBe(1);
    });
  }

  test('fails if a production stage lacks a setting, with a sentence and no stack trace', async () => {
    const { code, output } = await run(['infra/app.ts']);
    expect(output).toMatch(/^infra\/config\.ts, stage prod: a production stage needs alarms\.email .+\.\n$/);
    expect(code).toBe(1);
  });

  test('fails for a stage that does not exist', async () => {
    expect(await run(['infra/app.ts'], { HUB_SYNTH_STAGE: 'nowhere' })).toEqual({
      code: 1,
      output: 'infra/config.ts has no stage nowhere.\n',
    });
  });
});

describe('a production stage', () => {
  const prod = STAGES.find(({ production }) => production);
  if (!prod) throw new Error('there is no production stage');
  const complete = { ...prod, ...PRODUCTION };

  test.each([
    ['an address for alarms', { alarms: { latencyMs: 1_000, heavyLatencyMs: 3_000 } }, /alarms\.email/],
    ['engines', { engines: [] }, /engines/],
    ['a daily quota of mails', { mailFrom: prod.mailFrom }, /mailFrom\.dailyQuota/],
    ['an address of its own', { publicUrl: undefined }, /domain or publicUrl/],
  ])('needs %s', (_, change, named) => {
    const stage = defineStage({ ...complete, ...change });
    expect(() => requireComplete([stage])).toThrow(named);
  });

  test('requires sessions, as a user_id in an address is no credential', () => {
    expect(() => defineStage({ ...complete, sessionPolicy: 'optional' })).toThrow(/sessionPolicy/);
    defineStage({ ...complete, sessionPolicy: 'optional', production: false });
  });

  test('gets one error that lists all missing settings, and another stage needs none of them', () => {
    expect(() => requireComplete([prod])).toThrow(
      /alarms\.email.*engines.*mailFrom\.dailyQuota.*domain or publicUrl/s,
    );
    requireComplete([{ ...prod, production: false }]);
  });
});
