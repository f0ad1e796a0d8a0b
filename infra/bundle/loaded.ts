import type { Metafile } from 'esbuild';

type Outputs = Metafile['outputs'];
type Kind = 'import-statement' | 'dynamic-import';

/** Adds a file and its imports of these kinds to the files that are loaded already. */
const loadedBy = (
  outputs: Outputs,
  path: string,
  kinds: readonly Kind[],
  there: ReadonlySet<string> = new Set(),
): ReadonlySet<string> => {
  const loaded = new Set(there);
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const { path: imported, kind } of outputs[file]?.imports ?? []) {
      if (kinds.some((one) => one === kind)) load(imported);
    }
  };
  load(path);
  return loaded;
};

/**
 * Returns the files of a bundle, their size, and the maximum size and number of the files loaded by the first request:
 * the entry with a late part.
 */
export const sizesOf = ({ outputs }: Metafile, entry: string) => {
  const sizeOf = (paths: Iterable<string>): number =>
    [...paths].reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0);
  const first = loadedBy(outputs, entry, ['import-statement']);
  const late = (outputs[entry]?.imports ?? []).filter(({ kind }) => kind === 'dynamic-import');
  const loads = late.map(({ path }) => loadedBy(outputs, path, ['import-statement'], first));
  const files = [...loadedBy(outputs, entry, ['import-statement', 'dynamic-import'])];
  return {
    bytes: Math.max(...[first, ...loads].map(sizeOf)),
    loadedFiles: Math.max(...[first, ...loads].map(({ size }) => size)),
    totalBytes: sizeOf(files),
    files,
  };
};
