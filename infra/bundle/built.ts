import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { outlineSchema } from './outline.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Folder of the bundles: `<outDir>/<function>/index.mjs`, with the parts that it loads later. */
export const BUNDLE_DIR = join(ROOT, '.build', 'functions');

/** File in the folder of the bundles with the digest of their sources. */
export const RECORD = 'built.json';

/** Sources of bundles. The lock file in node_modules lists the installed packages. */
const SOURCES = [
  'functions',
  'shared',
  'infra',
  'package.json',
  'tsconfig.json',
  'node_modules/.package-lock.json',
];

/** A function's bundle. */
const bundleSchema = z.object({
  file: z.string(),
  /** Size of the code loaded by the first request. */
  bytes: z.number(),
  /** Maximum number of files loaded by the first request. */
  loadedFiles: z.number(),
  /** Size of all shipped files. */
  totalBytes: z.number(),
  /** Paths of all shipped files, relative to the project. */
  files: z.array(z.string()).readonly(),
});

export type Bundle = Readonly<z.output<typeof bundleSchema>>;

/** Functions and their bundles. */
export const buildSchema = z.object({
  functions: z.array(outlineSchema).readonly(),
  bundles: z
    .array(z.tuple([z.string(), bundleSchema]))
    .transform((entries): ReadonlyMap<string, Bundle> => new Map(entries)),
});

export type Build = z.output<typeof buildSchema>;

/** A build and the digest of its sources. */
export interface RecordedBuild extends Build {
  readonly digest: string;
}

const recordSchema = z.object({ digest: z.string(), build: buildSchema });

const filesIn = async (path: string): Promise<string[]> => {
  if (path.endsWith('.json')) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
};

/** Computes a digest of the contents and paths of all sources of bundles. */
export const digestOfSources = async (): Promise<string> => {
  const files = (await Promise.all(SOURCES.map((source) => filesIn(join(ROOT, source))))).flat().sort();
  const contents = await Promise.all(files.map((file) => readFile(file)));
  const hash = createHash('sha256').update(process.version);
  for (const [index, file] of files.entries()) hash.update(`${file}\n`).update(contents[index] ?? '');
  return hash.digest('hex');
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // The process that wrote the file was interrupted.
    return undefined;
  }
};

const sizeOf = async (file: string): Promise<number> => {
  try {
    return (await stat(file)).size;
  } catch {
    // The file does not exist.
    return 0;
  }
};

/** Reads the recorded build of a folder; undefined if it was built from other sources or is incomplete. */
export const recordedBuild = async (outDir = BUNDLE_DIR): Promise<RecordedBuild | undefined> => {
  const text = await readFile(join(outDir, RECORD), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const { success, data } = recordSchema.safeParse(parsed(text));
  if (!success || data.digest !== (await digestOfSources())) return undefined;
  for (const { files, totalBytes } of data.build.bundles.values()) {
    const sizes = await Promise.all(files.map((one) => sizeOf(join(ROOT, one))));
    if (sizes.reduce((sum, size) => sum + size, 0) !== totalBytes) return undefined;
  }
  return { ...data.build, digest: data.digest };
};
