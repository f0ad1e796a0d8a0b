import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Errors of operations on whole tables, backups, exports and imports, and of PartiQL. */
const OF_DYNAMODB = new RegExp(
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

/** The clients that are made lean, and which of their errors no function can meet or tells apart. */
const CLIENTS: readonly { readonly client: string; readonly unused: RegExp }[] = [
  { client: 'client-dynamodb', unused: OF_DYNAMODB },
  { client: 'client-kms', unused: /^\w+Exception$/ },
  { client: 'client-secrets-manager', unused: /^(?!ResourceNotFoundException$)\w+Exception$/ },
];

type Unless = (whole: string, name: string) => string;

const withoutClasses = (models: string, unless: Unless): string =>
  models.replace(/^export class (\w+) extends __BaseException \{\n(?:.*\n)*?\}\n/gm, unless);

const withoutRegistrations = (schemas: string, unless: Unless): string =>
  schemas
    .replace(/^n0_registry\.registerError\(\w+\$, (\w+)\);$/gm, unless)
    .replace(/^import \{ (.+?),? \} from "\.\.\/models\/errors";$/m, (_, names: string) => {
      const used = names.split(', ').filter((name) => unless(name, name) !== '');
      return `import { ${used.join(', ')} } from "../models/errors";`;
    });

const changed = (client: string, from: string, to: string): string => {
  if (from === to) throw new Error(`@aws-sdk/${client} no longer declares its errors one by one`);
  return to;
};

/**
 * Takes out of clients of the AWS SDK the errors of operations that no function calls: a client registers
 * all, which keeps them. A function that imports one of them fails the build; one that meets it all the
 * same gets the service's base exception, with the error's name.
 *
 * @param schemas what else is done to a client's schemas
 */
export const leanErrors = (schemas: (source: string) => string): Plugin => ({
  name: 'lean-errors',
  setup(build) {
    for (const { client, unused } of CLIENTS) {
      const unless: Unless = (whole, name) => (unused.test(name) ? '' : whole);
      const place = `[\\\\/]@aws-sdk[\\\\/]${client}[\\\\/]dist-es[\\\\/]`;
      const load = (file: string, lean: (source: string) => string): void =>
        build.onLoad({ filter: new RegExp(`${place}${file}$`) }, async ({ path }) => {
          const source = await readFile(path, 'utf8');
          return { contents: changed(client, source, lean(source)) };
        });
      load('models[\\\\/]errors\\.js', (source) => withoutClasses(source, unless));
      load('schemas[\\\\/]schemas_0\\.js', (source) =>
        schemas(changed(client, source, withoutRegistrations(source, unless))),
      );
    }
  },
});
