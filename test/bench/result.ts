import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder for builds and results of benchmarks, ignored by git. */
export const OUT_DIR = fileURLToPath(new URL('../../.build/bench', import.meta.url));

/** Writes the result of a benchmark as JSON. */
export const writeResult = async (name: string, result: object): Promise<void> => {
  await mkdir(OUT_DIR, { recursive: true });
  const file = join(OUT_DIR, `${name}.json`);
  const machine = { node: process.version, at: new Date().toISOString() };
  await writeFile(file, `${JSON.stringify({ ...machine, ...result }, null, 2)}\n`);
  console.log(`written to ${file}`);
};

/** Prints exceeded limits, and makes the program fail if there are any. */
export const failWith = (failures: readonly string[]): void => {
  for (const failure of failures) console.error(failure);
  if (failures.length > 0) process.exitCode = 1;
};
