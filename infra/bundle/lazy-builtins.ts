import { builtinModules, createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

const BUILTINS = new Set(builtinModules);
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const require = createRequire(import.meta.url);

/** Modules of functions alone that few requests call: each is loaded by the first call of one of them. */
const LATE: ReadonlySet<string> = new Set(['node:querystring', 'node:zlib']);

const whole = (name: string): string => `process.getBuiltinModule(${JSON.stringify(name)})`;

/** A module that reads each export on its own, so that those which nobody imports are dropped unread. */
const shakable = (name: string): string => {
  const exports: object = require(name);
  const names = Object.getOwnPropertyNames(exports).filter(
    (key) => IDENTIFIER.test(key) && key !== 'default',
  );
  if (LATE.has(name)) {
    const functions = names.filter(
      (key) => /^[a-z]/.test(key) && typeof Reflect.get(exports, key) === 'function',
    );
    return `
      ${functions.map((key) => `const _${key} = (...given) => ${whole(name)}.${key}(...given);`).join('\n')}
      export { ${functions.map((key) => `_${key} as ${key}`).join(', ')} };`;
  }
  return `
    const builtin = /* @__PURE__ */ ${whole(name)};
    export { builtin as default };
    ${names.map((key) => `const _${key} = /* @__PURE__ */ (() => builtin.${key})();`).join('\n')}
    export { ${names.map((key) => `_${key} as ${key}`).join(', ')} };`;
};

/**
 * Takes Node's own modules with `process.getBuiltinModule`, and of them what is used. An `import` of one
 * reads every export to bind it, the lazy ones too: importing `node:http` loads the whole of undici, a
 * fifth of a cold start. CommonJS dependencies get theirs the same way, so that no bundle needs `require`.
 */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup(build) {
    build.onResolve({ filter: /^(node:)?[a-z_0-9/]+$/ }, ({ path, kind }) => {
      const name = path.replace(/^node:/, '');
      if (!path.startsWith('node:') && !BUILTINS.has(name)) return undefined;
      const namespace = kind === 'import-statement' ? 'builtin' : 'whole-builtin';
      return { path: `node:${name}`, namespace, sideEffects: false };
    });
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ contents: shakable(path) }));
    build.onLoad({ filter: /.*/, namespace: 'whole-builtin' }, ({ path }) => ({
      contents: `module.exports = ${whole(path)};`,
    }));
  },
};
