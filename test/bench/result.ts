import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where benchmarks put what they build and what they find; git does not look there. */
export const OUT_DIR = fileURLToPath(new URL('../../.build/bench', import.meta.url));

/** Keeps what a benchmark found for programs to read. */
export const writeResult = async (name: string, result: object): Promise<void> => {
  await mkdir(OUT_DIR, { recursive: true });
  const file = join(OUT_DIR, `${name}.json`);
  const machine = { node: process.version, at: new Date().toISOString() };
  await writeFile(file, `${JSON.stringify({ ...machine, ...result }, null, 2)}\n`);
  console.log(`written to ${file}`);
};

/** Says what exceeds a limit, and ends the program as failed where anything does. */
export const failWith = (failures: readonly string[]): void => {
  for (const failure of failures) console.error(failure);
  if (failures.length > 0) process.exitCode = 1;
};
