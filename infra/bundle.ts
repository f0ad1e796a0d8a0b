import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type OutputFile } from 'esbuild';
import { FUNCTIONS } from '../functions/manifest.ts';
import { BUNDLE_OPTIONS } from './bundle/options.ts';
import { writeDocsAssets } from './docs-assets.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Where the bundles are: `<outDir>/<function>/index.mjs`. */
export const BUNDLE_DIR = join(ROOT, '.build', 'functions');

/** No bundle may be larger, minified. */
export const MAX_BUNDLE_BYTES = 450_000;

/** A function's bundle. */
export interface Bundle {
  readonly file: string;
  readonly bytes: number;
}

/** Files that functions read at run time, written beside their bundles. */
const ASSETS: Readonly<Record<string, (dir: string) => Promise<void>>> = { docs: writeDocsAssets };

/** Leaves a file alone that is already so: an engine may be reading it while another one starts. */
const writeIfChanged = async (file: string, contents: Uint8Array): Promise<void> => {
  const present = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (present?.equals(contents)) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, contents);
};

/**
 * Source maps read stack traces of the log; they stay out of the functions' directories, because a
 * function that loads its map pays for it on every cold start.
 */
const placeOf = ({ path }: OutputFile, outDir: string): string =>
  path.endsWith('.map')
    ? join(outDir, '..', 'maps', `${dirname(path).slice(outDir.length + 1)}.mjs.map`)
    : path;

/** Bundles every function of the manifest and writes the files that it ships. */
export const bundleFunctions = async (options: { outDir?: string } = {}): Promise<Map<string, Bundle>> => {
  const outDir = resolve(options.outDir ?? BUNDLE_DIR);
  const { outputFiles } = await build({
    ...BUNDLE_OPTIONS,
    absWorkingDir: ROOT,
    entryPoints: FUNCTIONS.map(({ name }) => ({ in: `functions/${name}/handler.ts`, out: `${name}/index` })),
    outdir: outDir,
    write: false,
    sourcemap: 'external',
    sourcesContent: false,
  });
  await Promise.all(outputFiles.map((file) => writeIfChanged(placeOf(file, outDir), file.contents)));
  await Promise.all(FUNCTIONS.map(({ name }) => ASSETS[name]?.(join(outDir, name, 'assets'))));
  const sizes = new Map(outputFiles.map(({ path, contents }) => [path, contents.byteLength]));
  return new Map(
    FUNCTIONS.map(({ name }) => {
      const file = join(outDir, name, 'index.mjs');
      return [name, { file, bytes: sizes.get(file) ?? 0 }];
    }),
  );
};

if (import.meta.main) {
  const started = performance.now();
  const bundles = await bundleFunctions();
  console.table(
    [...bundles].map(([name, { bytes }]) => ({ function: name, KB: Math.round(bytes / 100) / 10 })),
  );
  console.log(`bundled in ${Math.round(performance.now() - started)} ms into ${BUNDLE_DIR}`);
  const tooLarge = [...bundles].filter(([, { bytes }]) => bytes > MAX_BUNDLE_BYTES).map(([name]) => name);
  if (tooLarge.length > 0) {
    console.error(`larger than ${MAX_BUNDLE_BYTES / 1000} KB: ${tooLarge.join(', ')}`);
    process.exitCode = 1;
  }
}
