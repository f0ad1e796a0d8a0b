import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type OutputFile, stop } from 'esbuild';
import type { FunctionDeclaration } from '../../functions/declaration.ts';
import { FUNCTIONS } from '../../functions/manifest.ts';
import { digestOfSources, recordedBundles } from './built.ts';
import { writeDocsAssets } from './docs-assets.ts';
import { lateOperations } from './late-operations.ts';
import { sizesOf } from './loaded.ts';
import { BUNDLE_OPTIONS } from './options.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Where the bundles are: `<outDir>/<function>/index.mjs`, and beside it what it loads later. */
export const BUNDLE_DIR = join(ROOT, '.build', 'functions');

/** No function may load more by its first request, minified. */
export const MAX_BUNDLE_BYTES = 450_000;

/** A function's bundle. */
export interface Bundle {
  readonly file: string;
  /** The size of what it has loaded by its first request, at the most. */
  readonly bytes: number;
  /** The size of all that is shipped of it. */
  readonly totalBytes: number;
  /** All that is shipped of it, from the project's folder. */
  readonly files: readonly string[];
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
  // Whole or not at all, whoever else writes it and whatever interrupts.
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, contents);
  await rename(unfinished, file);
};

/**
 * Source maps read stack traces of the log; they stay out of the functions' directories, because a
 * function that loads its map pays for it on every cold start.
 */
const placeOf = ({ path }: OutputFile, outDir: string): string =>
  path.endsWith('.map') ? join(outDir, '..', 'maps', relative(outDir, path)) : path;

/** The operations of `docs` are made of the assets beside its bundle, and so is their list. */
const LISTED_AT_ONCE: ReadonlySet<string> = new Set(['docs']);

/** Returns the source file of a function's entry. */
const entryOf = (name: string): string =>
  `functions/${FUNCTIONS.find((one) => one.name === name)?.folder ?? name}/handler.ts`;

const bundle = async (names: readonly string[], outDir: string, more: BuildOptions) => {
  const { outputFiles, metafile } = await build({
    ...BUNDLE_OPTIONS,
    ...more,
    plugins: [...(more.plugins ?? []), ...BUNDLE_OPTIONS.plugins],
    absWorkingDir: ROOT,
    entryPoints: names.map((name) => ({ in: entryOf(name), out: `${name}/index` })),
    outdir: outDir,
    write: false,
    metafile: true,
    sourcemap: 'external',
    sourcesContent: false,
  });
  const bundles = names.map((name): [string, Bundle] => {
    const file = join(outDir, name, 'index.mjs');
    return [name, { file, ...sizesOf(metafile, relative(ROOT, file)) }];
  });
  // What nothing loads: the target of an import that was shaken off.
  const loaded = new Set(bundles.flatMap(([, { files }]) => files.map((path) => join(ROOT, path))));
  const kept = outputFiles.filter(({ path }) => loaded.has(path.replace(/\.map$/, '')));
  await Promise.all(kept.map((file) => writeIfChanged(placeOf(file, outDir), file.contents)));
  return bundles;
};

/** Groups of operations one by one, each in parts that are loaded as they are asked for; the rest as it is. */
const bundleAll = (outDir: string, functions: readonly FunctionDeclaration[]) => {
  const inParts = functions.flatMap(({ name, trigger }) =>
    trigger.kind === 'http' && !LISTED_AT_ONCE.has(name) ? [{ name, operations: trigger.operations }] : [],
  );
  const whole = functions.map(({ name }) => name).filter((name) => !inParts.some((one) => one.name === name));
  return Promise.all([
    ...(whole.length > 0 ? [bundle(whole, outDir, {})] : []),
    ...inParts.map(({ name, operations }) =>
      bundle([name], outDir, {
        splitting: true,
        chunkNames: `${name}/[hash]`,
        plugins: [lateOperations(name, operations)],
      }),
    ),
  ]);
};

/** Removes the parts of earlier bundles of a function, unfinished ones too. */
const prune = async ({ file, files }: Bundle): Promise<void> => {
  const kept = new Set(files.map((path) => join(ROOT, path)));
  const present = (await readdir(dirname(file))).map((name) => join(dirname(file), name));
  const old = present.filter((path) => /\.mjs(\.\d+)?$/.test(path) && !kept.has(path));
  await Promise.all(old.map((path) => rm(path)));
};

/** Says what the bundles beside it are made of. */
const RECORD = 'built.json';

/** Options of a bundling. */
interface Bundling {
  readonly outDir?: string;
  readonly functions?: readonly FunctionDeclaration[];
}

/**
 * Bundles every function of the manifest, or the given ones, and writes the files that they ship.
 *
 * @param options `pruned`: nothing else remains there. An engine that runs may still load parts of what was there.
 */
export const bundleFunctions = async (
  options: Bundling & { readonly pruned?: boolean } = {},
): Promise<Map<string, Bundle>> => {
  const { functions = FUNCTIONS } = options;
  const outDir = resolve(options.outDir ?? BUNDLE_DIR);
  const record = join(outDir, RECORD);
  // Before anything changes there.
  await rm(record, { force: true });
  const digest = await digestOfSources(ROOT);
  const bundles = new Map((await bundleAll(outDir, functions)).flat());
  // The compiler runs as a process of its own, which holds on to hundreds of megabytes.
  await stop();
  if (options.pruned) await Promise.all([...bundles.values()].map(prune));
  await Promise.all(functions.map(({ name }) => ASSETS[name]?.(join(outDir, name, 'assets'))));
  const inOrder = functions.flatMap(({ name }): [string, Bundle][] => {
    const made = bundles.get(name);
    return made ? [[name, made]] : [];
  });
  // What was edited meanwhile may be in some of them.
  if ((await digestOfSources(ROOT)) === digest) {
    await writeIfChanged(record, Buffer.from(JSON.stringify({ digest, bundles: inOrder })));
  }
  return new Map(inOrder);
};

/** The bundles as they are there, or made anew where the sources have changed since. */
export const currentBundles = async (options: Bundling = {}): Promise<Map<string, Bundle>> =>
  (await recordedBundles(ROOT, join(options.outDir ?? BUNDLE_DIR, RECORD), await digestOfSources(ROOT))) ??
  bundleFunctions(options);

if (import.meta.main) {
  const started = performance.now();
  const bundles = await bundleFunctions();
  console.table(
    [...bundles].map(([name, { bytes, totalBytes }]) => ({
      function: name,
      'KB loaded': Math.round(bytes / 100) / 10,
      'KB in all': Math.round(totalBytes / 100) / 10,
    })),
  );
  console.log(`bundled in ${Math.round(performance.now() - started)} ms into ${BUNDLE_DIR}`);
  const tooLarge = [...bundles].filter(([, { bytes }]) => bytes > MAX_BUNDLE_BYTES).map(([name]) => name);
  if (tooLarge.length > 0) {
    console.error(`larger than ${MAX_BUNDLE_BYTES / 1000} KB: ${tooLarge.join(', ')}`);
    process.exitCode = 1;
  }
}
