import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Errors of operations on whole tables, backups, exports and imports, and of PartiQL. */
const UNUSED = new RegExp(
  `^(${[
    'Backup',
    'ContinuousBackups',
    'DuplicateItem',
    'Export',
    'GlobalTable',
    'Import',
    'IndexNotFound',
    'InvalidExportTime',
    'InvalidRestoreTime',
    'LimitExceeded',
    'PointInTimeRecovery',
    'PolicyNotFound',
    'ReplicaAlreadyExists',
    'ReplicaNotFound',
    'ResourceInUse',
    'Table',
  ].join('|')})\\w*$`,
);

const unless = (whole: string, name: string): string => (UNUSED.test(name) ? '' : whole);

const withoutClasses = (models: string): string =>
  models.replace(/^export class (\w+) extends __BaseException \{\n(?:.*\n)*?\}\n/gm, unless);

const withoutRegistrations = (schemas: string): string =>
  schemas
    .replace(/^n0_registry\.registerError\(\w+\$, (\w+)\);$/gm, unless)
    .replace(/^import \{ (.+) \} from "\.\.\/models\/errors";$/m, (_, names: string) => {
      const used = names.split(', ').filter((name) => !UNUSED.test(name));
      return `import { ${used.join(', ')} } from "../models/errors";`;
    });

const changed = (from: string, to: string): string => {
  if (from === to) throw new Error('@aws-sdk/client-dynamodb no longer declares its errors one by one');
  return to;
};

/**
 * Takes out of DynamoDB's client the errors of operations that no function calls: it registers all, which
 * keeps them. A function that imports one of them fails the build; one that meets it all the same gets
 * the service's base exception, with the error's name.
 *
 * @param schemas what else is done to the client's schemas
 */
export const leanErrors = (schemas: (source: string) => string): Plugin => ({
  name: 'lean-errors',
  setup(build) {
    const client = '[\\\\/]@aws-sdk[\\\\/]client-dynamodb[\\\\/]dist-es[\\\\/]';
    const load = (file: string, lean: (source: string) => string): void =>
      build.onLoad({ filter: new RegExp(`${client}${file}$`) }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        return { contents: changed(source, lean(source)) };
      });
    load('models[\\\\/]errors\\.js', withoutClasses);
    load('schemas[\\\\/]schemas_0\\.js', (source) => schemas(changed(source, withoutRegistrations(source))));
  },
});
