import type { Plugin } from 'esbuild';
import * as z from 'zod';
import { applyEdits, type Edit } from './edits.ts';

/** Index of the formatting patterns in the metadata of a country. */
const FORMATS = 4;

const regionsSchema = z.record(z.string(), z.array(z.unknown()));
const metadataSchema = z.looseObject({
  version: z.literal(4),
  countries: regionsSchema,
  nonGeographic: regionsSchema.optional(),
});

const withoutFormats = (module: string): string => {
  const text = /^export default (\{.*\});?\s*$/m.exec(module)?.[1];
  if (text === undefined) return module;
  const { success, data } = metadataSchema.safeParse(JSON.parse(text));
  if (!success) return module;
  for (const region of [...Object.values(data.countries), ...Object.values(data.nonGeographic ?? {})]) {
    region[FORMATS] = 0;
  }
  return `export default ${JSON.stringify(data)};`;
};

/** Takes the build for present JavaScript instead of the one for ES5. */
const withModernBuild = (index: string): string => index.replaceAll("'../es6/", "'../es6-modern/");

const EDITS: readonly Edit[] = [
  {
    file: /[\\/]libphonenumber-js[\\/]core[\\/]index\.js$/,
    change: withModernBuild,
    failure: 'libphonenumber-js no longer exports its build for ES5',
  },
  {
    file: /[\\/]libphonenumber-js[\\/]metadata\.min\.json\.js$/,
    change: withoutFormats,
    failure: 'libphonenumber-js no longer has metadata of version 4 in one module',
  },
];

/**
 * Takes the patterns of national notation out of the metadata of libphonenumber-js, and bundles its smaller build. The
 * service validates numbers in E.164, which does not use the patterns.
 */
export const leanPhone: Plugin = {
  name: 'lean-phone',
  setup(build) {
    applyEdits(build, /^libphonenumber-js\/min$/, EDITS);
  },
};
