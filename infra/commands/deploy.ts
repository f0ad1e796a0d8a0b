/** Releases a stage: `npm run deploy -- --stage prod`. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { requireComplete } from '../complete-stages.ts';
import { openStage } from '../release/open-stage.ts';
import { release } from '../release/release.ts';
import type { HubConfig } from '../stage.ts';
import { readCdkCommand, runCdk } from './cdk.ts';
import { UsageError } from './command-line.ts';
import { explainAws } from './explain-aws.ts';

const outputs = z.record(z.string(), z.record(z.string(), z.string()));

/** Returns the commit of the working directory, or undefined outside of a git repository. */
const commitOf = async (): Promise<string | undefined> => {
  try {
    return (await promisify(execFile)('git', ['rev-parse', '--short', 'HEAD'])).stdout.trim();
  } catch {
    return undefined;
  }
};

/** Returns the address of a stage: its own, or the one that its deployment printed. */
const addressOf = async (
  { stage, domain, publicUrl }: HubConfig,
  outputsFile: string,
): Promise<string | undefined> => {
  if (domain) return `https://${domain.name}`;
  if (publicUrl !== undefined) return publicUrl;
  const text = await readFile(outputsFile, 'utf8').catch(() => '{}');
  return outputs.parse(JSON.parse(text))[`strategy-hub-${stage}-api`]?.PublicUrl;
};

const run = async (): Promise<void> => {
  const { stage: config, args, smoke, takeOver } = await readCdkCommand(['deploy', ...process.argv.slice(2)]);
  if (!config) throw new UsageError('npm run deploy -- --stage NAME');
  requireComplete([config]);
  const folder = await mkdtemp(join(tmpdir(), 'hub-deploy-'));
  const outputsFile = join(folder, 'outputs.json');
  const check = async (): Promise<boolean> => {
    if (smoke.isLeftOut) {
      console.log('The service is not checked: --no-smoke.');
      return true;
    }
    const { origin, sink, symbol } = smoke;
    const url = smoke.url ?? (await addressOf(config, outputsFile));
    if (url === undefined) throw new UsageError('The address of the service is unknown. Name it with --url.');
    // Load the checks late, as they import the client that the bundling has generated.
    const { probeOf, runChecks } = await import('../smoke/run-checks.ts');
    const allowed = config.corsOrigins.find((one) => !one.endsWith('.example'));
    return (
      (await runChecks({ url, origin: origin ?? allowed, sink, symbol, probe: probeOf(process.env) })) === 0
    );
  };
  try {
    const isLive = await release(openStage(config, takeOver), {
      commit: await commitOf(),
      deploy: async (moved) =>
        (await runCdk(config, [...args, '--outputs-file', outputsFile], {
          HUB_SYNTH_MOVED: moved.join(','),
        })) === 0,
      check,
    });
    if (!isLive) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true });
  }
};

run().catch((error: unknown) => {
  console.error(explainAws(error));
  process.exitCode = 1;
});
