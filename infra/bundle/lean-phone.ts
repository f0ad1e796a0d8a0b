import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

/** The place of a country's formatting patterns in libphonenumber-js's metadata, version 4. */
const FORMATS = 4;

interface Metadata {
  readonly version: number;
  readonly countries: Readonly<Record<string, unknown[]>>;
  readonly nonGeographic?: Readonly<Record<string, unknown[]>>;
}

const withoutFormats = (text: string): string => {
  const metadata: Metadata = JSON.parse(text);
  if (metadata.version !== 4)
    throw new Error(`libphonenumber-js has metadata of version ${metadata.version}`);
  for (const places of [metadata.countries, metadata.nonGeographic ?? {}]) {
    for (const country of Object.values(places)) country[FORMATS] = 0;
  }
  return JSON.stringify(metadata);
};

/**
 * Takes out of libphonenumber-js the patterns of national notation, three fifths of its metadata (the
 * service parses, validates and writes E.164, which needs none of them), and takes the package's build
 * for present JavaScript instead of the one for ES5.
 */
export const leanPhone: Plugin = {
  name: 'lean-phone',
  setup(build) {
    build.onResolve({ filter: /\/es6\// }, ({ path, importer }) =>
      /[\\/]libphonenumber-js[\\/]/.test(importer)
        ? { path: join(dirname(importer), path.replace('/es6/', '/es6-modern/')), sideEffects: false }
        : undefined,
    );
    build.onLoad({ filter: /libphonenumber-js[\\/]metadata\.min\.json\.js$/ }, async ({ path }) => ({
      contents: withoutFormats(await readFile(path.replace(/\.js$/, ''), 'utf8')),
      loader: 'json',
    }));
  },
};
