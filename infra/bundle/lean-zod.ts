import type { Plugin } from 'esbuild';
import { applyEdits, type Edit } from './edits.ts';

/** Leaves out the generators of schemas, and properties that read limits by them, as `minLength`. */
const withoutGenerators = (source: string): string =>
  source
    .replace(/^\s*inst\._zod\.processJSONSchema = .*;$/gm, '')
    .replace(/util\.derived\(\{\n {4}\w+: \(inst\) =>[\s\S]*?\n\}, \{/g, 'util.derived({}, {');

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

const EDITS: readonly Edit[] = [
  {
    file: /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/,
    change: withoutGenerators,
    failure: 'Zod no longer sets processJSONSchema line by line',
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

/** Takes the generator of JSON Schema out of Zod. The OpenAPI document is generated at build time. */
export const leanZod: Plugin = {
  name: 'lean-zod',
  setup(build) {
    applyEdits(build, /^zod$/, EDITS);
  },
};
