import { execFile } from 'node:child_process';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ROOT } from '../bundle/built.ts';
import { readOptions } from '../commands/read-options.ts';
import { writeClient } from './write-client.ts';

const PACKAGE = fileURLToPath(new URL('./package/', import.meta.url));

/** Folder of the package that `--pack` makes. */
const PACKED = join(ROOT, '.build', 'client');

/** Libraries of browsers, workers and Node alike. The package compiles without types of Node. */
const COMPILER_OPTIONS = [
  ['--outDir', PACKED],
  ['--rootDir', join(PACKAGE, 'src')],
  ['--target', 'es2022'],
  ['--module', 'nodenext'],
  ['--lib', 'es2024,dom,dom.iterable,dom.asynciterable,esnext.iterator'],
  ['--types', ''],
].flat();

const COMPILER_FLAGS = [
  '--ignoreConfig',
  '--declaration',
  '--strict',
  '--exactOptionalPropertyTypes',
  '--noUncheckedIndexedAccess',
  '--verbatimModuleSyntax',
  '--rewriteRelativeImportExtensions',
];

/** Compiles the package, so that `npm publish .build/client` can publish it. */
export const packClient = async (): Promise<string> => {
  await rm(PACKED, { recursive: true, force: true });
  await mkdir(PACKED, { recursive: true });
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const source = join(PACKAGE, 'src', 'index.ts');
  await promisify(execFile)(process.execPath, [compiler, source, ...COMPILER_OPTIONS, ...COMPILER_FLAGS]);
  for (const file of ['package.json', 'README.md']) await cp(join(PACKAGE, file), join(PACKED, file));
  await cp(join(ROOT, 'LICENSE'), join(PACKED, 'LICENSE'));
  return PACKED;
};

const HELP = `npm run client [-- --pack]

Writes the operations of the typed client (infra/client/package). --pack also makes the package in .build/client.`;

if (import.meta.main) {
  const { values } = readOptions(HELP, { options: { pack: { type: 'boolean', default: false } } });
  console.log(`wrote ${await writeClient()}`);
  if (values.pack) console.log(`packed ${await packClient()}`);
}
