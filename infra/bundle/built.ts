import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

/** Sources of bundles. The lock file in node_modules lists the installed packages. */
const SOURCES = [
  'functions',
  'shared',
  'infra',
  'package.json',
  'tsconfig.json',
  'node_modules/.package-lock.json',
];

const recordSchema = z.object({
  digest: z.string(),
  bundles: z.array(
    z.tuple([
      z.string(),
      z.object({
        file: z.string(),
        bytes: z.number(),
        totalBytes: z.number(),
        files: z.array(z.string()),
      }),
    ]),
  ),
});

const filesIn = async (path: string): Promise<string[]> => {
  if (path.endsWith('.json')) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
};

/** Computes a digest of the contents and paths of all sources of bundles. */
export const digestOfSources = async (root: string): Promise<string> => {
  const files = (await Promise.all(SOURCES.map((source) => filesIn(join(root, source))))).flat().sort();
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

/** Reads the record of bundles; undefined if they were built from other sources or are incomplete. */
export const recordedBundles = async (root: string, file: string, digest: string) => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const { success, data } = recordSchema.safeParse(parsed(text));
  if (!success || data.digest !== digest) return undefined;
  for (const [, { files, totalBytes }] of data.bundles) {
    const sizes = await Promise.all(files.map((one) => sizeOf(join(root, one))));
    if (sizes.reduce((sum, size) => sum + size, 0) !== totalBytes) return undefined;
  }
  return new Map(data.bundles);
};
