import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FUNCTIONS } from '../../functions/manifest.ts';

/** Stacks get empty bundles. Building real ones takes seconds and changes only hashes in a template. */
export const emptyBundles = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'hub-infra-'));
  for (const { name } of FUNCTIONS) {
    mkdirSync(join(dir, name));
    writeFileSync(join(dir, name, 'index.mjs'), `export const handler = () => '${name}';\n`);
  }
  return dir;
};

/** Settings that a production stage needs and its operator adds. */
export const PRODUCTION = {
  mailFrom: { name: 'Strategy Hub', address: 'no-reply@strategy-hub.example', dailyQuota: 50_000 },
  publicUrl: 'https://api.hub.test',
  engines: [{ source: 'acme.engine', principals: ['arn:aws:iam::123456789012:role/engine'] }],
  alarms: { email: 'ops@hub.test', latencyMs: 3_000, heavyLatencyMs: 5_000 },
};
