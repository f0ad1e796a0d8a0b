import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

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
