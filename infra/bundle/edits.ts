import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import type { Loader, PluginBuild } from 'esbuild';

/** A change to a file of a dependency, made while it is bundled. Changes with the same file are made in their order. */
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
  for (const { file, loader = 'js' } of edits) {
    const ofFile = edits.filter((edit) => edit.file.source === file.source);
    build.onLoad({ filter: file }, async ({ path }) => {
      let contents = await readFile(path, 'utf8');
      for (const edit of ofFile) {
        missing.delete(edit);
        const changed = edit.change(contents);
        if (changed === contents) throw new Error(`${edit.failure}: ${relative(process.cwd(), path)}`);
        contents = changed;
      }
      return { contents, loader };
    });
  }
  build.onEnd(() => ({
    errors: isBundled
      ? [...missing].map(({ failure, file }) => ({ text: `${failure}: there is no file ${file.source}` }))
      : [],
  }));
};
