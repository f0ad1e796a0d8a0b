import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';

const NAMESPACE = 'node-builtin';
const BUILTINS = new Set(builtinModules);

/**
 * Takes Node's own modules with `process.getBuiltinModule`. An `import` of one reads every export to
 * bind it, the lazy ones too: importing `node:http` loads the whole of undici, a fifth of a cold start.
 * CommonJS dependencies get their built-ins the same way, so that no bundle needs a `require`.
 */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup(build) {
    build.onResolve({ filter: /^(node:)?[a-z_0-9/]+$/ }, ({ path }) => {
      const name = path.replace(/^node:/, '');
      if (!path.startsWith('node:') && !BUILTINS.has(name)) return undefined;
      return { path: `node:${name}`, namespace: NAMESPACE, sideEffects: false };
    });
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
      loader: 'js',
    }));
  },
};
