import type { Plugin } from 'esbuild';
import { applyEdits, type Edit } from './edits.ts';

/** Leaves out the generators of schemas, and properties that read limits by them, as `minLength`. */
const withoutGenerators = (source: string): string =>
  source
    .replace(/^\s*inst\._zod\.processJSONSchema = .*;$/gm, '')
    .replace(/util\.derived\(\{\n {4}\w+: \(inst\) =>[\s\S]*?\n\}, \{/g, 'util.derived({}, {');

/**
 * Replaces the methods of strings that check a format by a function that throws. Every bundle with a string would have the
 * classes and patterns of all formats. The functions, as `z.email()`, stay.
 */
const withoutFormatMethods = (source: string): string => {
  const lean = source.replace(
    /^( {4}\w+)\(params\) \{\s*return this\.check\(core\._\w+\(Zod\w+, params\)\);\s*\},$/gm,
    '$1: formatLeftOut,',
  );
  if (lean === source) return source;
  return `${lean}
    function formatLeftOut() {
      throw new Error('methods of strings that check a format are left out of the bundles: use z.email()');
    }`;
};

/** Methods that no schema of the project calls, and that bring classes and checks of their own. */
export const UNUSED_METHODS: readonly string[] = [
  ...['exactOptional', 'nonoptional', 'and', 'readonly', 'exactPartial', 'required', 'multipleOf', 'step'],
  ...['includes', 'startsWith', 'endsWith', 'lowercase', 'uppercase', 'normalize', 'slugify'],
];

/** Replaces methods that no schema calls by a function that throws. Unchanged if one of them is missing. */
const withoutUnusedMethods = (source: string): string => {
  let lean = source;
  for (const name of UNUSED_METHODS) {
    const before = lean;
    lean = lean.replace(
      new RegExp(`^( {4}${name})\\([^)]*\\) \\{\\n[^}]*\\n {4}\\},$`, 'gm'),
      '$1: methodLeftOut,',
    );
    if (lean === before) return source;
  }
  return `${lean}
    function methodLeftOut() {
      throw new Error('this method is left out of the bundles: see UNUSED_METHODS of lean-zod.ts');
    }`;
};

/** Leaves out the English texts of issues. The module issue-texts.ts describes issues in its own words. */
const withoutTexts = (source: string): string =>
  source
    .replace('import en from "../locales/en.js";', '')
    .replace(/^function _ensureDefaultLocale\(\) \{$[\s\S]*?^\}$/m, 'function _ensureDefaultLocale() {}');

/** Leaves out the memory of objects that a schema has read, which ends cycles. Items, bodies and events come from JSON. */
const withoutMemoizer = (source: string): string =>
  source.replace(
    /^function _ensureDefaultMemoizer\(\) \{$[\s\S]*?^\}$/m,
    'function _ensureDefaultMemoizer() {}',
  );

/** Imports the utilities from their own module. Of a namespace that another module exports, esbuild keeps everything. */
const withDirectUtilities = (source: string): string =>
  source
    .replace('import { util } from "../core/index.js";', 'import * as util from "../core/util.js";')
    .replaceAll('core.util.', 'util.');

/** Replaces all exports of a module by a function that throws. */
const leftOut = (source: string): string => {
  const names = [
    ...[...source.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name),
    ...[...source.matchAll(/^export \{ \w+ as (\w+) \};/gm)].map(([, name]) => name),
  ];
  if (names.length === 0) return source;
  return `
    const leftOut = () => { throw new Error('JSON Schema is left out of the bundles'); };
    export { ${names.map((name) => `leftOut as ${name}`).join(', ')} };`;
};

const SCHEMAS = /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/;

const EDITS: readonly Edit[] = [
  {
    file: SCHEMAS,
    change: withoutGenerators,
    failure: 'Zod no longer sets processJSONSchema line by line',
  },
  {
    file: SCHEMAS,
    change: withoutFormatMethods,
    failure: 'Zod no longer has a method of strings for each format',
  },
  {
    file: SCHEMAS,
    change: withDirectUtilities,
    failure: 'Zod no longer imports its utilities as a namespace of its index',
  },
  {
    file: SCHEMAS,
    change: withoutUnusedMethods,
    failure: 'Zod no longer has a method that no schema of the project calls',
  },
  {
    file: SCHEMAS,
    change: withoutTexts,
    failure: 'Zod no longer sets English texts with the first schema',
  },
  {
    file: SCHEMAS,
    change: withoutMemoizer,
    failure: 'Zod no longer sets a memoizer with the first container',
  },
  {
    file: /[\\/]zod[\\/]v4[\\/]core[\\/]to-json-schema\.js$/,
    change: leftOut,
    failure: 'Zod no longer exports its generator of JSON Schema by name',
  },
  {
    file: /[\\/]zod[\\/]v4[\\/]core[\\/]json-schema-processors\.js$/,
    change: leftOut,
    failure: 'Zod no longer exports the parts of its generator of JSON Schema by name',
  },
];

/**
 * Takes the generator of JSON Schema, unused methods and English texts out of Zod. The OpenAPI document is generated at build
 * time.
 */
export const leanZod: Plugin = {
  name: 'lean-zod',
  setup(build) {
    applyEdits(build, /^zod$/, EDITS);
  },
};
