import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { packClient } from '../../infra/client/generate.ts';
import { inSoak } from '../support/soak.ts';

const run = promisify(execFile);
const COMPILER = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

/** Program of a user of the package. The compiler refuses it if a type is missing or wrong. */
const PROGRAM = `
import { HubClient, isChange, verifyWebhook } from '@strategy-hub/client';
const hub = new HubClient({ baseUrl: 'https://hub.example' });
export const names = async (user_id: string): Promise<string[]> => {
  const found: string[] = [];
  for await (const strategy of hub.getStrategiesByUser({ user_id })) found.push(strategy.strategy_name);
  const { total }: { total: number } = await hub.getStrategiesByUser({ user_id });
  const event = await verifyWebhook('whsec_', { headers: {}, body: '' });
  const price: number | null = isChange(event, 'order.filled') ? event.data.average_price : total;
  // @ts-expect-error an operation has its own parameters
  await hub.getStrategy({ user_id, strategy: price });
  return found;
};
`;

/** Names that the examples of the package's page take as given. */
const GIVEN = `
declare const hub: import('@strategy-hub/client').HubClient;
declare const user_id: string, user_email: string, token: string, guid: string, secret: string;
`;

/** Returns the examples of the package's page, each as a module. */
const examplesOf = (page: string): string[] =>
  [...page.matchAll(/^```ts\n(.+?)^```$/gms)].map(([, code]) => `${code}export {};\n`);

inSoak(
  'the package and the examples of its page compile and run where it is installed, without types of Node',
  async () => {
    const dir = await mkdtemp(join(tmpdir(), 'hub-client-'));
    try {
      await mkdir(join(dir, 'node_modules', '@strategy-hub'), { recursive: true });
      await cp(await packClient(), join(dir, 'node_modules', '@strategy-hub', 'client'), { recursive: true });
      await writeFile(join(dir, 'package.json'), '{"type":"module"}');
      await writeFile(join(dir, 'program.ts'), PROGRAM);
      await writeFile(join(dir, 'given.d.ts'), GIVEN);
      const page = await readFile(join(dir, 'node_modules/@strategy-hub/client/README.md'), 'utf8');
      const examples = examplesOf(page).map((code, index) => ({ code, file: `example-${index + 1}.ts` }));
      expect(examples.length).toBe(page.match(/^```\w/gm)?.length);
      for (const { code, file } of examples) await writeFile(join(dir, file), code);
      const files = ['program.ts', 'given.d.ts', ...examples.map(({ file }) => file)];
      const types = ['--types', '', '--lib', 'es2022,dom', '--target', 'es2022', '--module', 'nodenext'];
      const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
      const flags = ['--ignoreConfig', '--noEmit', ...strict];
      const compiling = run(process.execPath, [COMPILER, ...files, ...types, ...flags], { cwd: dir });
      expect((await compiling.catch((error: { readonly stdout: string }) => error)).stdout).toBe('');
      const list = "import('@strategy-hub/client').then((all) => console.log(Object.keys(all).join()))";
      const { stdout } = await run(process.execPath, ['-e', list], { cwd: dir });
      expect(stdout).toContain('HubClient');
    } finally {
      await rm(dir, { recursive: true });
    }
  },
);
