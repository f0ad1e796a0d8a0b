import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * For each schema of an object Zod writes a parser, and has it compiled, when it is first used. What is used
 * once, as most are in a function that starts, is parsed faster without.
 */
const withLateParsers = (source: string): string => {
  const lean = source.replace('let fastpass;', 'let fastpass, isUsed = false;').replace(
    'if (jit && fastEnabled && ctx?.async === false && ctx.jitless !== true) {',
    `if (!isUsed) isUsed = true;
        else $&`,
  );
  if (!(lean.includes('isUsed = false;') && lean.includes('isUsed = true;')))
    throw new Error('Zod no longer writes parsers for objects');
  return lean;
};

/**
 * Takes out of Zod what turns schemas into JSON Schema: the OpenAPI document is made at build time. Each
 * schema is also put together faster without it.
 */
export const leanZod: Plugin = {
  name: 'lean-zod',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = source.replace(/^\s*inst\._zod\.processJSONSchema = .*;$/gm, '');
      if (contents === source) throw new Error('Zod no longer sets processJSONSchema line by line');
      return { contents };
    });
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/]schemas\.js$/ }, async ({ path }) => ({
      contents: withLateParsers(await readFile(path, 'utf8')),
    }));
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/]to-json-schema\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const names = [
        ...[...source.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name),
        ...[...source.matchAll(/^export \{ \w+ as (\w+) \};/gm)].map(([, name]) => name),
      ];
      const contents = `
        const leftOut = () => { throw new Error('JSON Schema is left out of the bundles'); };
        export { ${names.map((name) => `leftOut as ${name}`).join(', ')} };`;
      return { contents };
    });
  },
};
