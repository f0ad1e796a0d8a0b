import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { GlobalConfig } from 'jest';

const run = promisify(execFile);

const SCRIPT = `import { currentBundles } from './infra/bundle/bundle.ts'; await currentBundles();`;

/**
 * Bundles the functions before a run of all tests, because files that run at the same time would each bundle them. A
 * run of chosen files bundles when one of them starts the service. The bundling has its own process, as a global
 * set-up of Jest cannot import the project's modules.
 */
const buildBundles = async (config: GlobalConfig): Promise<void> => {
  if (config.testPathPatterns.isSet() || config.findRelatedTests) return;
  await run(process.execPath, ['--input-type=module', '-e', SCRIPT], { cwd: config.rootDir });
};

export default buildBundles;
