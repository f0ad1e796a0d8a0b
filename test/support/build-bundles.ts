import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { GlobalConfig } from 'jest';

const run = promisify(execFile);

const SCRIPT = `import { currentBundles } from './infra/bundle/bundle.ts'; await currentBundles();`;

/** Generated part of the client, and the files and folders it is made from. */
const CLIENT = 'infra/client/package/src/operations.ts';
const SOURCES_OF_CLIENT = [
  'functions',
  'shared',
  'infra/client/client-source.ts',
  'infra/client/schema-types.ts',
  'infra/client/write-client.ts',
  'infra/bundle/docs-assets.ts',
  'package.json',
  'node_modules/.package-lock.json',
];

/** Returns the time of the last change of a file, or of all files in a folder. */
const changedAt = async (path: string): Promise<number> => {
  const found = await stat(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const times = files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).mtimeMs);
  return Math.max(...(await Promise.all(times)));
};

/** Tells whether the client was generated after all its sources had changed. */
const isClientCurrent = async (rootDir: string): Promise<boolean> => {
  const client = join(rootDir, CLIENT);
  if (!existsSync(client)) return false;
  const changes = await Promise.all(SOURCES_OF_CLIENT.map((source) => changedAt(join(rootDir, source))));
  return Math.max(...changes) <= (await changedAt(client));
};

/**
 * Bundles the functions before a run of all tests, because files that run at the same time would each bundle them. A
 * run of chosen files bundles when one of them starts the service, and only generates an old client. Both have their
 * own process, as a global set-up of Jest cannot import the project's modules.
 */
export const buildBundles = async (config: GlobalConfig): Promise<void> => {
  const cwd = config.rootDir;
  if (!config.testPathPatterns.isSet() && !config.findRelatedTests) {
    await run(process.execPath, ['--input-type=module', '-e', SCRIPT], { cwd });
  } else if (!(await isClientCurrent(cwd))) {
    await run(process.execPath, ['infra/client/generate.ts'], { cwd });
  }
};
