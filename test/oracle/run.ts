/**
 * Compares backtests of other programs with those of the engine: one line per case. Exits with 1 on a mismatch. Reads
 * `DIR/*.json`, and candles from `DIR/../../data/`. Run by `npm run test:oracle -- DIR`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions } from '../../infra/commands/read-options.ts';
import { checkCase } from './check.ts';

const SHOWN = 5;

/** A case that cannot be read is a mismatch, and does not keep the others from running. */
const differencesOf = (json: object, data: string): string[] => {
  try {
    return checkCase(json, data);
  } catch (error) {
    return [`the case cannot be run: ${error instanceof Error ? error.message : error}`];
  }
};

const main = (folder: string): boolean => {
  const data = join(folder, '..', '..', 'data');
  let failed = 0;
  let passed = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'index.json')) {
    const name = file.replace('.json', '');
    const json: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    if (typeof json !== 'object' || json === null || Array.isArray(json)) continue;
    const differences = differencesOf(json, data);
    if (differences.length === 0) {
      passed += 1;
      console.log(`ok    ${name}`);
      continue;
    }
    failed += 1;
    console.log(
      `wrong ${name}: ${differences.length} differences: ${differences.slice(0, SHOWN).join('; ')}`,
    );
  }
  console.log(`${passed} of ${passed + failed} cases`);
  return failed === 0 && passed > 0;
};

const HELP = `npm run test:oracle -- DIR

Compares backtests of other programs, DIR/*.json, with those of the engine. Exits with 1 on a mismatch.`;

const [folder] = readOptions(HELP, { allowPositionals: true }).positionals;
if (folder === undefined) {
  console.error('Give the folder of the cases: npm run test:oracle -- DIR');
  process.exitCode = 2;
} else if (!main(folder)) process.exitCode = 1;
