import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** The place of a country's formatting patterns in libphonenumber-js's metadata, version 4. */
const FORMATS = 4;

interface Metadata {
  readonly version: number;
  readonly countries: Readonly<Record<string, unknown[]>>;
  readonly nonGeographic?: Readonly<Record<string, unknown[]>>;
}

/**
 * Leaves the patterns of national notation out of libphonenumber-js's metadata, three fifths of it.
 * The service parses, validates and writes numbers as E.164, which needs none of them.
 */
export const phoneMetadata: Plugin = {
  name: 'phone-metadata',
  setup(build) {
    build.onLoad({ filter: /libphonenumber-js[\\/]metadata\.min\.json\.js$/ }, async ({ path }) => {
      const metadata: Metadata = JSON.parse(await readFile(path.replace(/\.js$/, ''), 'utf8'));
      if (metadata.version !== 4)
        throw new Error(`libphonenumber-js has metadata of version ${metadata.version}`);
      for (const places of [metadata.countries, metadata.nonGeographic ?? {}]) {
        for (const country of Object.values(places)) country[FORMATS] = 0;
      }
      return { contents: JSON.stringify(metadata), loader: 'json' };
    });
  },
};
