import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { FILE_LIST, WORKER_FILE } from '../../functions/console/console-files.ts';
import { BROWSER_OPTIONS } from './browser-options.ts';
import { ROOT } from './built.ts';
import { writeAsset } from './write-asset.ts';

const APP = fileURLToPath(new URL('../../functions/console/app/', import.meta.url));
const WORKER = fileURLToPath(new URL('../../functions/console/worker/worker.ts', import.meta.url));
const PAGE = new URL('../../functions/console/page/', import.meta.url);

/** Files of the console, before compression. */
export interface ConsoleFiles {
  readonly page: string;
  /** Service worker, which has a fixed name. */
  readonly worker: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Files that the page loads before anything else. */
  readonly first: readonly string[];
  /** Files that a screen loads in addition, by the name of the screen. */
  readonly screens: ReadonlyMap<string, readonly string[]>;
}

type Outputs = Metafile['outputs'];

/** Returns an output and all outputs that it loads at once. */
const loadedWith = (outputs: Outputs, path: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const { path: next, kind } of outputs[path]?.imports ?? []) {
    if (kind === 'import-statement') loadedWith(outputs, next, seen);
  }
  return seen;
};

const outputOf = (outputs: Outputs, source: string): string => {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(source));
  if (!found) throw new Error(`the console was built without ${source}`);
  return found[0];
};

const SCREEN = /app\/screens\/([\w-]+)\/screen\.tsx$/;

const buildWorker = async (): Promise<string> => {
  const { outputFiles } = await build({
    ...BROWSER_OPTIONS,
    entryPoints: [WORKER],
    format: 'iife',
  });
  return outputFiles[0]?.text ?? '';
};

/** Bundles the console: a page, scripts that load screens when needed, and one style sheet. */
export const buildConsole = async (): Promise<ConsoleFiles> => {
  const { outputFiles, metafile } = await build({
    ...BROWSER_OPTIONS,
    entryPoints: [join(APP, 'main.tsx'), join(APP, 'styles', 'console.css')],
    outdir: join(ROOT, '.build', 'console-app'),
    metafile: true,
    splitting: true,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
  });
  const { outputs } = metafile;
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  const icon = await readFile(new URL('icon.svg', PAGE));
  const iconName = `icon-${createHash('sha256').update(icon).digest('hex').slice(0, 8)}.svg`;
  files.set(iconName, icon);
  const main = outputOf(outputs, 'app/main.tsx');
  const style = basename(outputOf(outputs, 'styles/console.css'));
  const scripts = [...loadedWith(outputs, main)].map((path) => basename(path));
  const preloads = scripts.slice(1).map((name) => `<link rel="modulepreload" href="console/${name}">`);
  const template = await readFile(new URL('index.html', PAGE), 'utf8');
  const page = template
    .replace('<!-- preloads -->', preloads.join('\n    '))
    .replaceAll('{main}', scripts[0] ?? '')
    .replaceAll('{style}', style)
    .replaceAll('{icon}', iconName);
  const screens = Object.entries(outputs).flatMap(([path, { entryPoint = '' }]) => {
    const name = SCREEN.exec(entryPoint)?.[1];
    if (name === undefined) return [];
    const loaded = [...loadedWith(outputs, path)].map((one) => basename(one));
    return [[name, loaded.filter((one) => !scripts.includes(one))] as const];
  });
  return { page, worker: await buildWorker(), files, first: [...scripts, style], screens: new Map(screens) };
};

/**
 * Writes the files that the function of the console reads next to its bundle, each gzipped, and their list.
 *
 * @param pruned removes files of earlier builds, which a running engine may still send
 */
export const writeConsoleAssets = async (directory: string, pruned = false): Promise<void> => {
  await mkdir(directory, { recursive: true });
  const { page, worker, files } = await buildConsole();
  await Promise.all([...files].map(([name, content]) => writeAsset(directory, name, content)));
  await writeAsset(directory, 'index.html', page);
  await writeAsset(directory, WORKER_FILE, worker);
  const list = { files: [...files.keys()] };
  await writeAsset(directory, FILE_LIST, JSON.stringify(list));
  if (!pruned) return;
  const kept = new Set([...files.keys(), 'index.html', WORKER_FILE, FILE_LIST].map((name) => `${name}.gz`));
  const old = (await readdir(directory)).filter((name) => !kept.has(name));
  await Promise.all(old.map((name) => rm(join(directory, name))));
};
