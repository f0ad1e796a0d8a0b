import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

const NAMESPACE = 'zod-without';
const MODULES = ['to-json-schema.js', 'json-schema-processors.js'] as const;

/** Writes a module with the same exports, each of which fails. */
const leftOut = (names: readonly string[]): string => `
  const leftOut = () => { throw new Error('the bundle has no writer of JSON Schemas'); };
  export { ${names.map((name) => `leftOut as ${name}`).join(', ')} };`;

/**
 * Leaves the writer of JSON Schemas out of Zod: 4 % of the code that every function loads at its start. The pages of the
 * operations are written when the bundles are built. A use of it fails, and so does reading a limit of a schema, such as
 * its `minLength`. The build fails if Zod no longer imports the modules.
 */
export const leanZod: Plugin = {
  name: 'lean-zod',
  setup(build) {
    const missing = new Set<string>(MODULES);
    let isUsed = false;
    build.onResolve({ filter: /^zod$/ }, () => {
      isUsed = true;
      return undefined;
    });
    for (const module of MODULES) {
      const filter = new RegExp(`[/]${module.replace('.', '[.]')}$`);
      build.onResolve({ filter }, ({ importer, resolveDir, path }) => {
        if (!/[/]node_modules[/]zod[/]v4[/]/.test(importer)) return undefined;
        missing.delete(module);
        return {
          path: module,
          namespace: NAMESPACE,
          pluginData: resolve(resolveDir, path),
          sideEffects: false,
        };
      });
    }
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, async ({ pluginData }) => ({
      contents: leftOut(Object.keys(await import(pathToFileURL(pluginData).href))),
    }));
    build.onEnd(() => ({
      errors: isUsed ? [...missing].map((module) => ({ text: `zod no longer imports ${module}` })) : [],
    }));
  },
};
