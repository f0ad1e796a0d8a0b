import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { GlobalConfig } from 'jest';

/** Starts databases, prints their endpoints, and ends them with the process that holds its input. */
const SCRIPT = `
  import { startScratchDynamo } from './infra/local/database/dynamo.ts';
  const count = Number(process.argv[1]);
  const databases = await Promise.all(Array.from({ length: count }, () => startScratchDynamo()));
  console.log(databases.map(({ endpoint }) => endpoint).join(' '));
  process.stdin.resume().on('end', async () => {
    await Promise.all(databases.map((each) => each.close()));
    process.exit();
  });`;

/**
 * Starts a database for each worker of Jest, as a worker takes a tenth of a second to start a process. They have a
 * process of their own, as a global set-up of Jest cannot import the project's modules.
 */
export const startDatabases = async ({ rootDir, maxWorkers }: GlobalConfig): Promise<void> => {
  const script = ['--input-type=module', '-e', SCRIPT, String(maxWorkers)];
  const launcher = spawn(process.execPath, script, { cwd: rootDir, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(launcher, 'exit').then(() => {
    throw new Error('the databases of the tests cannot be started');
  });
  const [line] = await Promise.race([once(launcher.stdout, 'data'), ended]);
  process.env.HUB_TEST_DATABASES = String(line).trim();
  launcher.stdout.destroy();
  launcher.unref();
};
