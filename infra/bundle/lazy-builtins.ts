import { builtinModules, createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

const BUILTINS = new Set(builtinModules);
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const require = createRequire(import.meta.url);

/** Modules that few requests use. The first call of one of their functions loads them. */
const LATE: ReadonlySet<string> = new Set(['querystring', 'zlib']);

/** Modules whose functions tracers replace to record calls. */
const TRACED: ReadonlySet<string> = new Set([
  'child_process',
  'dns',
  'dns/promises',
  'fs',
  'fs/promises',
  'http',
  'http2',
  'https',
  'net',
  'tls',
]);

const moduleOf = (name: string): string => `process.getBuiltinModule(${JSON.stringify(`node:${name}`)})`;

/** Returns the names that a module can be imported by, without reading its exports. */
const exportsOf = (name: string): string[] =>
  Object.getOwnPropertyNames(require(`node:${name}`)).filter(
    (key) => IDENTIFIER.test(key) && key !== 'default',
  );

/** Writes a module whose exports are read one by one, so that esbuild drops the unused ones unread. */
const shakableModule = (name: string): string => {
  const names = exportsOf(name);
  return `
    const builtin = /* @__PURE__ */ ${moduleOf(name)};
    export { builtin as default };
    ${names.map((key) => `const _${key} = /* @__PURE__ */ (() => builtin.${key})();`).join('\n')}
    export { ${names.map((key) => `_${key} as ${key}`).join(', ')} };`;
};

/** Writes a module that exports the functions of a built-in module and loads it at the first call. */
const lateModule = (name: string): string => {
  const exports: object = require(`node:${name}`);
  const functions = exportsOf(name).filter(
    (key) => /^[a-z]/.test(key) && typeof Reflect.get(exports, key) === 'function',
  );
  return `
    ${functions.map((key) => `const _${key} = (...given) => ${moduleOf(name)}.${key}(...given);`).join('\n')}
    export { ${functions.map((key) => `_${key} as ${key}`).join(', ')} };`;
};

/**
 * Writes a module whose exports are read at each use. esbuild turns imports of a CommonJS module, also through another
 * module, into reads of its properties. The module between them makes all importers share one import.
 */
const tracedModule = (name: string): string =>
  `export { default, ${exportsOf(name).join(', ')} } from ${JSON.stringify(`whole-builtin:${name}`)};`;

const importedModule = (name: string): string => {
  if (LATE.has(name)) return lateModule(name);
  return TRACED.has(name) ? tracedModule(name) : shakableModule(name);
};

/**
 * Reads Node's own modules with `process.getBuiltinModule` instead of an `import`. An `import` reads every export to
 * bind it, including those that Node loads on demand: importing `node:http` loads all of undici.
 *
 * The module object is the one that `require` returns. Functions of network, file and process modules are read from it
 * at each use, so a tracer that replaces `http.request` sees the calls of a bundle, also of one that was loaded before.
 */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup(build) {
    build.onResolve({ filter: /^(node:)?[a-z_0-9/]+$/ }, ({ path, kind }) => {
      const name = path.replace(/^node:/, '');
      if (!path.startsWith('node:') && !BUILTINS.has(name)) return undefined;
      const namespace = kind === 'import-statement' ? 'builtin' : 'whole-builtin';
      return { path: name, namespace, sideEffects: false };
    });
    build.onResolve({ filter: /^whole-builtin:/ }, ({ path }) => ({
      path: path.slice('whole-builtin:'.length),
      namespace: 'whole-builtin',
      sideEffects: false,
    }));
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ contents: importedModule(path) }));
    build.onLoad({ filter: /.*/, namespace: 'whole-builtin' }, ({ path }) => ({
      contents: `module.exports = ${moduleOf(path)};`,
    }));
  },
};
