import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import type { Loader, PluginBuild } from 'esbuild';

/** A change to a file of a dependency, made while it is bundled. */
export interface Edit {
  readonly file: RegExp;
  readonly change: (source: string) => string;
  /** Reports that upstream has changed, as a sentence without a full stop. */
  readonly failure: string;
  readonly loader?: Loader;
}

/**
 * Applies changes to files of a dependency. The build fails if the dependency is bundled and a change leaves its file as
 * it is, or its file is not found.
 *
 * @param dependency a specifier that every bundle with the dependency imports
 */
export const applyEdits = (build: PluginBuild, dependency: RegExp, edits: readonly Edit[]): void => {
  const missing = new Set(edits);
  let isBundled = false;
  build.onResolve({ filter: dependency }, () => {
    isBundled = true;
    return undefined;
  });
  for (const edit of edits) {
    build.onLoad({ filter: edit.file }, async ({ path }) => {
      missing.delete(edit);
      const source = await readFile(path, 'utf8');
      const contents = edit.change(source);
      if (contents === source) throw new Error(`${edit.failure}: ${relative(process.cwd(), path)}`);
      return { contents, loader: edit.loader ?? 'js' };
    });
  }
  build.onEnd(() => ({
    errors: isBundled
      ? [...missing].map(({ failure, file }) => ({ text: `${failure}: there is no file ${file.source}` }))
      : [],
  }));
};
