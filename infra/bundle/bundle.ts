import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { type BuildOptions, build, type OutputFile, stop } from 'esbuild';
import type { FunctionDeclaration } from '../../functions/declaration.ts';
import { FUNCTIONS } from '../../functions/manifest.ts';
import { writeClient } from '../client/write-client.ts';
import { readOptions } from '../commands/read-options.ts';
import { writeAssistantsAssets } from './assistants-assets.ts';
import { BUNDLE_DIR, type Bundle, digestOfSources, RECORD, ROOT, recordedBuild } from './built.ts';
import { writeConsoleAssets } from './console-assets.ts';
import { writeDocsAssets } from './docs-assets.ts';
import { lateOperations } from './late-operations.ts';
import { sizesOf } from './loaded.ts';
import { BUNDLE_OPTIONS } from './options.ts';
import { outlineOf } from './outline.ts';

/** Maximum size of the minified code that a function loads by its first request, if a caller waits for it. */
const MAX_BUNDLE_BYTES = 620_000;
/** Maximum size for functions that streams, events and schedules invoke. Orders and limits need the whole ledger. */
const MAX_BACKGROUND_BYTES = 760_000;

/** Maximum size for the functions of an adapter whose library has half a megabyte, which is loaded when it is needed. */
const MAX_LIBRARY_BYTES = 1_200_000;

const hasLibrary = ({ adapter }: Pick<FunctionDeclaration, 'adapter'>): boolean => adapter === 'binance';

/** Returns the maximum size of the code that a function loads by its first request. */
export const maxBundleBytes = (name: string): number => {
  const declared = FUNCTIONS.find((one) => one.name === name);
  if (declared && hasLibrary(declared)) return MAX_LIBRARY_BYTES;
  // Programs of models call it, and wait longer for their model than for a cold start.
  if (name === 'assistants') return MAX_BACKGROUND_BYTES;
  const kind = declared?.trigger.kind;
  return kind === 'http' || kind === 'authorizer' ? MAX_BUNDLE_BYTES : MAX_BACKGROUND_BYTES;
};

// Lets the compiler, a Go program, collect garbage less often: a third of its time went there.
process.env.GOGC ??= '400';

/** Options of a bundling. */
interface Bundling {
  readonly outDir?: string;
  readonly functions?: readonly FunctionDeclaration[];
  /** Names of plugins to leave out, to measure their effect. */
  readonly without?: readonly string[];
}

/** Writers of the files that functions read at run time, next to their bundles. */
const ASSETS: Readonly<Record<string, (dir: string, pruned?: boolean) => Promise<void>>> = {
  assistants: writeAssistantsAssets,
  console: writeConsoleAssets,
  docs: writeDocsAssets,
};

/** Writes a file only if its contents change, as a running engine may be reading it. */
const writeIfChanged = async (file: string, contents: Uint8Array): Promise<void> => {
  const present = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (present?.equals(contents)) return;
  await mkdir(dirname(file), { recursive: true });
  // Write to another file and rename it, so that no reader gets a partial file.
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, contents);
  await rename(unfinished, file);
};

/**
 * Keeps source maps out of the folders of functions, as loading a map would slow down each cold start. The maps are for
 * reading stack traces of the log.
 */
const placeOf = ({ path }: OutputFile, outDir: string): string =>
  path.endsWith('.map') ? join(outDir, '..', 'maps', relative(outDir, path)) : path;

/** Functions whose operations are not loaded late, as they read the assets next to their bundle. */
const LISTED_AT_ONCE: ReadonlySet<string> = new Set(Object.keys(ASSETS));

/** Returns the source file of a function's entry. */
const entryOf = (name: string): string =>
  `functions/${FUNCTIONS.find((one) => one.name === name)?.folder ?? name}/handler.ts`;

/** Bundles functions with the options of all and more. */
const bundle = async (
  names: readonly string[],
  { outDir, without }: Required<Bundling>,
  more: BuildOptions = {},
) => {
  const plugins = [...(more.plugins ?? []), ...BUNDLE_OPTIONS.plugins];
  const { outputFiles, metafile } = await build({
    ...BUNDLE_OPTIONS,
    ...more,
    plugins: plugins.filter(({ name }) => !without.includes(name)),
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
  // Drop outputs that nothing loads, such as the target of a removed import.
  const loaded = new Set(bundles.flatMap(([, { files }]) => files.map((path) => join(ROOT, path))));
  const kept = outputFiles.filter(({ path }) => loaded.has(path.replace(/\.map$/, '')));
  await Promise.all(kept.map((file) => writeIfChanged(placeOf(file, outDir), file.contents)));
  return bundles;
};

/**
 * Bundles groups of operations, and functions with a large library, one by one, in parts that are loaded on demand; all
 * other functions together.
 */
const bundleAll = async (bundling: Required<Bundling>) => {
  const { functions, without } = bundling;
  const isSplit = !without.includes('late-operations');
  const inParts = functions.flatMap((declared) => {
    const { name, trigger } = declared;
    if (isSplit && trigger.kind === 'http' && !LISTED_AT_ONCE.has(name)) {
      return [{ name, plugins: [lateOperations(name, trigger.operations)] }];
    }
    return hasLibrary(declared) ? [{ name, plugins: [] }] : [];
  });
  const whole = functions.map(({ name }) => name).filter((name) => !inParts.some((one) => one.name === name));
  const bundles = whole.length > 0 ? [await bundle(whole, bundling)] : [];
  // Bundle one after the other: together they take twice the memory, and no less time on two processors.
  for (const { name, plugins } of inParts) {
    const options = { splitting: true, chunkNames: `${name}/[hash]`, plugins };
    bundles.push(await bundle([name], bundling, options));
  }
  return bundles;
};

/** Removes parts of earlier bundles of a function, including partial files. */
const prune = async ({ file, files }: Bundle): Promise<void> => {
  const kept = new Set(files.map((path) => join(ROOT, path)));
  const present = (await readdir(dirname(file))).map((name) => join(dirname(file), name));
  const old = present.filter((path) => /\.mjs(\.\d+)?$/.test(path) && !kept.has(path));
  await Promise.all(old.map((path) => rm(path)));
};

/**
 * Bundles every function of the manifest, or the given ones, and writes the files that they ship.
 *
 * @param options `pruned` removes parts of earlier bundles, which a running engine may still load
 */
export const bundleFunctions = async (
  options: Bundling & { readonly pruned?: boolean } = {},
): Promise<Map<string, Bundle>> => {
  const { functions = FUNCTIONS, without = [] } = options;
  const outDir = resolve(options.outDir ?? BUNDLE_DIR);
  const record = join(outDir, RECORD);
  // Remove the record before the bundles change.
  await rm(record, { force: true });
  // Write the client first, as the console and the checks of the service import it.
  await writeClient();
  const digest = await digestOfSources();
  const bundles = new Map((await bundleAll({ outDir, functions, without })).flat());
  await Promise.all(
    functions.map(({ name }) => ASSETS[name]?.(join(outDir, name, 'assets'), options.pruned)),
  );
  // Stop the process of the compiler, which uses hundreds of megabytes.
  await stop();
  if (options.pruned) await Promise.all([...bundles.values()].map(prune));
  const inOrder = functions.flatMap(({ name }): [string, Bundle][] => {
    const made = bundles.get(name);
    return made ? [[name, made]] : [];
  });
  // If sources changed during bundling, some bundles may hold the change, so write no record.
  if ((await digestOfSources()) === digest) {
    const build = { functions: functions.map(outlineOf), bundles: inOrder };
    await writeIfChanged(record, Buffer.from(JSON.stringify({ digest, build })));
  }
  return new Map(inOrder);
};

/** Returns the existing bundles, or bundles again if the sources have changed. */
export const currentBundles = async (
  options: Omit<Bundling, 'without'> = {},
): Promise<ReadonlyMap<string, Bundle>> =>
  (await recordedBuild(options.outDir))?.bundles ?? bundleFunctions(options);

const HELP = `npm run build

Bundles all functions into .build/functions, and prints their sizes. Ends with 1 if one is too large.`;

if (import.meta.main) {
  readOptions(HELP, {});
  const started = performance.now();
  const bundles = await bundleFunctions();
  console.table(
    [...bundles].map(([name, { bytes, loadedFiles, totalBytes }]) => ({
      function: name,
      'KB loaded': Math.round(bytes / 100) / 10,
      'files loaded': loadedFiles,
      'KB in all': Math.round(totalBytes / 100) / 10,
    })),
  );
  console.log(`bundled in ${Math.round(performance.now() - started)} ms into ${BUNDLE_DIR}`);
  const tooLarge = [...bundles]
    .filter(([name, { bytes }]) => bytes > maxBundleBytes(name))
    .map(([name]) => `${name} (limit ${maxBundleBytes(name) / 1000} KB)`);
  if (tooLarge.length > 0) {
    console.error(`too large: ${tooLarge.join(', ')}`);
    process.exitCode = 1;
  }
}
