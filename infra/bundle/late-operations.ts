import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import type { Operation } from '../../shared/api/operation.ts';

const OPERATION = 'late-operation';
const MODULE = 'late-module';

/** Modules that every function with operations loads at its start, so they are no part of what is loaded late. */
const COMMON = ['lambda.ts', 'operation.ts', 'fields.ts'].map((name) =>
  join(import.meta.dirname, '../../shared/api', name),
);

/** Writes an import of each module. */
const importsOf = (files: readonly string[]): string =>
  files.map((file) => `import ${JSON.stringify(file)};`).join('\n');

/** Module that is loaded late, and the module that loads it. */
interface Late {
  readonly file: string;
  readonly importer: string;
}

type Module = Readonly<Record<string, unknown>>;

/** Location of an operation: a file below the folder of its group, and the name of the export. */
interface Place {
  readonly name: string;
  readonly file: string;
}

const load = (file: string): Promise<Module> => import(pathToFileURL(file).href);

/** Finds the exports of all files below a folder, except the entry, which exports no operation. */
const exportsBelow = async (folder: string): Promise<Map<unknown, Place>> => {
  const paths = (await readdir(folder, { recursive: true })).filter(
    (path) => path.endsWith('.ts') && path !== 'handler.ts',
  );
  const found = await Promise.all(
    paths.map(async (path) => {
      const file = join(folder, path);
      return Object.entries(await load(file)).map(([name, value]) => [value, { name, file }] as const);
    }),
  );
  return new Map(found.flat());
};

/** Returns the name under which a file exports the list of operations: its only array. */
const listName = async (file: string): Promise<string> => {
  const [name, ...more] = Object.entries(await load(file)).flatMap(([key, value]) =>
    Array.isArray(value) ? [key] : [],
  );
  if (name === undefined || more.length > 0) throw new Error(`${file} must export one list of operations`);
  return name;
};

/**
 * Loads each operation of a group with the first request for it. Replaces the list of operations by a list of routes,
 * each with a dynamic import, for which esbuild writes a file. A cold start then compiles the code and builds the schemas
 * of one operation instead of all.
 *
 * esbuild writes a file for each set of late parts that share modules, and every file adds half a percent to a cold
 * start. So each late part imports what is loaded before it: the common modules, and the module that imports it late.
 *
 * @param group the name of the group, `functions/<group>`; its operations may be in any of its subfolders
 */
export const lateOperations = (group: string, operations: readonly Operation[]): Plugin => ({
  name: 'late-operations',
  setup(build) {
    const places = new Map<string, Place>();
    const late = new Map<string, Late>();
    build.onLoad(
      { filter: new RegExp(`[\\\\/]functions[\\\\/]${group}[\\\\/]operations\\.ts$`) },
      async ({ path }) => {
        const exported = await exportsBelow(dirname(path));
        const routes = operations.map((operation) => {
          const place = exported.get(operation);
          if (!place) throw new Error(`no file of functions/${group} exports ${operation.name}`);
          places.set(operation.routeKey, place);
          const key = JSON.stringify(operation.routeKey);
          const address = JSON.stringify(`${OPERATION}:${operation.routeKey}`);
          return `{ routeKey: ${key}, load: async () => (await import(${address})).operation }`;
        });
        const contents = `
          ${importsOf(COMMON)}
          export const ${await listName(path)} = [${routes.join(', ')}];`;
        return { contents, loader: 'js' };
      },
    );
    build.onResolve({ filter: /^late-operation:/ }, ({ path }) => ({
      path: path.slice(OPERATION.length + 1),
      namespace: OPERATION,
    }));
    build.onLoad({ filter: /.*/, namespace: OPERATION }, ({ path: routeKey }) => {
      const place = places.get(routeKey);
      if (!place) throw new Error(`${group} has no operation with the route ${routeKey}`);
      return {
        contents: `
          ${importsOf(COMMON)}
          export { ${place.name} as operation } from ${JSON.stringify(place.file)};`,
        resolveDir: import.meta.dirname,
        loader: 'js',
      };
    });
    build.onResolve({ filter: /^\..*\.ts$/ }, ({ path, kind, importer, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const file = resolve(resolveDir, path);
      const key = `${file} after ${importer}`;
      late.set(key, { file, importer });
      return { path: key, namespace: MODULE };
    });
    build.onLoad({ filter: /.*/, namespace: MODULE }, ({ path }) => {
      const module = late.get(path);
      if (!module) throw new Error(`no module is loaded late as ${path}`);
      return {
        contents: `
          ${importsOf([...COMMON, module.importer])}
          export * from ${JSON.stringify(module.file)};`,
        resolveDir: import.meta.dirname,
        loader: 'js',
      };
    });
  },
});
