import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import type { Operation } from '../../shared/api/operation.ts';

/** Module that every function loads at its start, so it is not part of any late operation. */
const COMMON = '../../shared/api/lambda.ts';

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
 * @param group the name of the group, `functions/<group>`; its operations may be in any of its subfolders
 */
export const lateOperations = (group: string, operations: readonly Operation[]): Plugin => ({
  name: 'late-operations',
  setup(build) {
    const places = new Map<string, Place>();
    build.onLoad(
      { filter: new RegExp(`[\\\\/]functions[\\\\/]${group}[\\\\/]operations\\.ts$`) },
      async ({ path }) => {
        const exported = await exportsBelow(dirname(path));
        const routes = operations.map((operation) => {
          const place = exported.get(operation);
          if (!place) throw new Error(`no file of functions/${group} exports ${operation.name}`);
          places.set(operation.routeKey, place);
          const key = JSON.stringify(operation.routeKey);
          const address = JSON.stringify(`late-operation:${operation.routeKey}`);
          return `{ routeKey: ${key}, load: async () => (await import(${address})).operation }`;
        });
        return { contents: `export const ${await listName(path)} = [${routes.join(', ')}];`, loader: 'js' };
      },
    );
    build.onResolve({ filter: /^late-operation:/ }, ({ path }) => ({
      path: path.slice('late-operation:'.length),
      namespace: 'late-operation',
    }));
    build.onLoad({ filter: /.*/, namespace: 'late-operation' }, ({ path: routeKey }) => {
      const place = places.get(routeKey);
      if (!place) throw new Error(`${group} has no operation with the route ${routeKey}`);
      // The import of the common part tells esbuild that it is loaded, so it becomes one file.
      return {
        contents: `
          import ${JSON.stringify(join(import.meta.dirname, COMMON))};
          export { ${place.name} as operation } from ${JSON.stringify(place.file)};`,
        resolveDir: import.meta.dirname,
        loader: 'js',
      };
    });
  },
});
