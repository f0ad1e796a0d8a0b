import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import type { Operation } from '../../shared/api/operation.ts';

/** What is loaded with every function anyway: no operation brings it along. */
const COMMON = '../../shared/api/lambda.ts';

const IMPORTED = /^import \{ (\w+) \} from '(\.\/[\w-]+\.ts)';$/gm;

interface Listed {
  readonly name: string;
  readonly file: string;
  readonly routeKey: string;
}

/** Where a group's list takes each of its operations from. Throws where it holds one that it does not import. */
const listedIn = async (list: string, operations: readonly Operation[]): Promise<readonly Listed[]> => {
  const imports = await Promise.all(
    [...(await readFile(list, 'utf8')).matchAll(IMPORTED)].map(async ([, name = '', path = '']) => {
      const file = join(dirname(list), path);
      const module: Readonly<Record<string, unknown>> = await import(pathToFileURL(file).href);
      return { name, file, value: module[name] };
    }),
  );
  return operations.map((operation) => {
    const found = imports.find(({ value }) => value === operation);
    if (!found) throw new Error(`${list} does not import ${operation.name} from a module of its own`);
    return { name: found.name, file: found.file, routeKey: operation.routeKey };
  });
};

/**
 * Has a group's function load each operation with the first request for it: in place of the list of its
 * operations it gets one of routes, each with an import that esbuild makes a file of. A cold start then
 * compiles the code and puts together the schemas of one operation, not of all.
 *
 * @param group the name of the group, `functions/<group>`
 */
export const lateOperations = (group: string, operations: readonly Operation[]): Plugin => ({
  name: 'late-operations',
  setup(build) {
    const listed = new Map<string, Listed>();
    build.onLoad(
      { filter: new RegExp(`[\\\\/]functions[\\\\/]${group}[\\\\/]operations\\.ts$`) },
      async ({ path }) => {
        for (const one of await listedIn(path, operations)) listed.set(one.routeKey, one);
        const routes = [...listed.keys()].map((routeKey) => {
          const key = JSON.stringify(routeKey);
          const address = JSON.stringify(`late-operation:${routeKey}`);
          return `{ routeKey: ${key}, load: async () => (await import(${address})).operation }`;
        });
        const name = /^export const (\w+): readonly Operation\[\] = \[/m.exec(
          await readFile(path, 'utf8'),
        )?.[1];
        if (!name) throw new Error(`${path} exports no list of operations`);
        return { contents: `export const ${name} = [${routes.join(', ')}];`, loader: 'js' };
      },
    );
    build.onResolve({ filter: /^late-operation:/ }, ({ path }) => ({
      path: path.slice('late-operation:'.length),
      namespace: 'late-operation',
    }));
    build.onLoad({ filter: /.*/, namespace: 'late-operation' }, ({ path: routeKey }) => {
      const { name, file } = listed.get(routeKey) ?? {};
      // With the common part beside it, esbuild knows that this is there, and makes one file of it.
      return {
        contents: `
          import ${JSON.stringify(join(import.meta.dirname, COMMON))};
          export { ${name} as operation } from ${JSON.stringify(file)};`,
        resolveDir: import.meta.dirname,
        loader: 'js',
      };
    });
  },
});
