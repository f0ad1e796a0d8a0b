import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Late import of a module of the project. */
const LATE = /\bimport\('(\.[^']+)'\)/g;

/** Replaces late imports of modules of the project by imports at the start. Keeps the lines for the source map. */
const withEarlyImports = (source: string): string => {
  const imports: string[] = [];
  const code = source.replace(LATE, (_, path: string) => {
    const name = `earlyImport${imports.length}`;
    imports.push(`import * as ${name} from '${path}';`);
    return `Promise.resolve(${name})`;
  });
  return imports.join('') + code;
};

/**
 * Imports at the start what a bundle in one file imports late. For a late import within one file, esbuild wraps the
 * module and all modules below it, and so keeps all their exports, such as every operation of an AWS client: 60 KB.
 */
export const earlyImports: Plugin = {
  name: 'early-imports',
  setup(build) {
    // A bundle in parts loads them late.
    if (build.initialOptions.splitting) return;
    build.onLoad({ filter: /[\\/](?:functions|shared)[\\/].*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = withEarlyImports(source);
      return contents === source ? undefined : { contents, loader: 'ts' };
    });
  },
};
