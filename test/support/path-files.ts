import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Lists the files of `functions` and `shared` that run for an entry: the inputs of its bundle. Files that only give
 * types are left out.
 *
 * @param entry path of a handler or an operation.
 */
export const pathFiles = async (entry: string): Promise<string[]> => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outdir: 'dist',
  });
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs: parts }) =>
    Object.entries(parts).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
  return [...new Set(inputs)].filter((file) => /^(functions|shared)\//.test(file)).sort();
};
