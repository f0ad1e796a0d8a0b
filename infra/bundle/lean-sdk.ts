import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import * as z from 'zod';
import { applyEdits, type Edit } from './edits.ts';

const STAND_INS = fileURLToPath(new URL('./sdk-stand-ins.ts', import.meta.url));

interface Replaced {
  readonly specifier: RegExp;
  /** The importing file, for a relative specifier. */
  readonly importer?: RegExp;
}

/** Modules of the SDK that are replaced by stand-ins. */
const REPLACED: readonly Replaced[] = [
  { specifier: /^@aws-sdk\/credential-provider-node$/ },
  { specifier: /^@aws-sdk\/endpoint-cache$/ },
  { specifier: /^@smithy\/core\/event-streams$/ },
  { specifier: /\/createUserAgentStringParsingProvider$/ },
  {
    specifier: /\/loadSharedConfigFiles$/,
    importer: /[\\/]node-config-provider[\\/]fromSharedConfigFiles\.js$/,
  },
  {
    specifier: /\/getInstanceMetadataRegion$/,
    importer: /[\\/]defaults-mode[\\/]resolveDefaultsModeConfig\.js$/,
  },
  { specifier: /\/getInstanceMetadataRegion$/, importer: /[\\/]regionConfig[\\/]config\.js$/ },
  { specifier: /\/sha256\/Sha256Node$/ },
  { specifier: /\/util-body-length\/calculateBodyLength$/ },
  { specifier: /\/stream-collector$/ },
  { specifier: /\/date-utils$/, importer: /[\\/]serde[\\/]index\.js$/ },
  { specifier: /\/JsonBytesStringAdapter$/, importer: /[\\/]JsonShapeSerializer2\.js$/ },
  { specifier: /\/HttpBindingNormalizedSchema$/, importer: /[\\/]protocols[\\/]HttpProtocol\.js$/ },
  {
    specifier: /\/AdaptiveRetryStrategy$/,
    importer: /[\\/]middleware-retry[\\/]configurations\.js$/,
  },
  { specifier: /\/HeaderFormatter$/, importer: /[\\/]SignatureV4\.js$/ },
];

/**
 * Replaces computed keys of a client's schemas (`{ [_h]: … }`) by literal ones. esbuild takes a computed key for a side
 * effect and then keeps the schemas of all operations of the service.
 *
 * @throws if the schemas have no such keys, or keys that are not constants of the file
 */
const withLiteralKeys = (schemas: string): string => {
  const constants = new Map<string, string>();
  for (const [, name = '', text = ''] of schemas.matchAll(/^const (_\w+) = ("[^"]*");$/gm)) {
    constants.set(name, text);
  }
  const literal = schemas.replace(/\[(_\w+)\]: /g, (key, name: string) => {
    const text = constants.get(name);
    return text === undefined ? key : `${text}: `;
  });
  const computed = /[{,]\s*(\[[A-Za-z_$][\w$.]*\])\s*:/.exec(literal)?.[1];
  if (computed !== undefined) throw new Error(`the key ${computed} of schemas of the AWS SDK is no constant`);
  return literal;
};

/**
 * Errors that the functions tell apart, or that the SDK retries by their class. Any other error of the table, the bus and
 * secrets comes as the exception of its service, with its name and message.
 */
const EXPECTED_ERRORS: ReadonlySet<string> = new Set([
  'ConditionalCheckFailedException',
  'ReplicatedWriteConflictException',
  'ResourceNotFoundException',
  'TransactionCanceledException',
  'TransactionConflictException',
]);

/** Leaves out the classes of errors that no function expects. A function that imports one is not bundled. */
const withoutErrors = (errors: string): string =>
  errors.replace(/^export class (\w+) extends __BaseException \{$[\s\S]*?^\}$/gm, (whole, name: string) =>
    EXPECTED_ERRORS.has(name) ? whole : '',
  );

/** Schemas of the services whose errors are left out. */
const WITHOUT_ERRORS = /^const n0 = "com\.amazonaws\.(?:dynamodb|eventbridge|secretsmanager)";$/m;

const withoutErrorSchemas = (schemas: string): string =>
  schemas
    .replace(/^import \{ ([^}]+) \} from "\.\.\/models\/errors";$/m, (_, names: string) => {
      const kept = names.split(/,\s*/).filter((name) => EXPECTED_ERRORS.has(name));
      return `import { ${kept.join(', ')} } from "../models/errors";`;
    })
    .replace(/^n0_registry\.registerError\(\w+\$, (\w+)\);$/gm, (whole, name: string) =>
      EXPECTED_ERRORS.has(name) ? whole : '',
    );

const leanSchemas = (schemas: string): string => {
  const literal = withLiteralKeys(schemas);
  return WITHOUT_ERRORS.test(schemas) ? withoutErrorSchemas(literal) : literal;
};

/** Leaves out the error with a stack that each call creates in advance; a failing call replaces it. */
const withoutSpareError = (middleware: string): string =>
  middleware.replace('let lastError = new Error();', 'let lastError;');

/**
 * Lays the fields of a call over the client's configuration by the prototype. The SDK copies the configuration, about
 * sixty fields, to write each request and to read each response. Nothing lists the fields of the result.
 */
const withoutCopies = (middleware: string): string =>
  middleware.replace(
    /\{\s*\.\.\.config,\s*\.\.\.context,\s*(endpoint,)?\s*\}/,
    (_, endpoint = '') => `Object.assign(Object.create(config), context, { ${endpoint} })`,
  );

/** Reads Node's modules directly. A dynamic import of one would become a file of the bundle. */
const withBuiltinsAtOnce = (source: string): string =>
  source.replace(/await import\((["']node:\w+["'])\)/g, 'process.getBuiltinModule($1)');

/** Imports the stand-in of event streams at the start. A late import of it would become a file of the bundle. */
const withEventStreamsAtOnce = (source: string): string => {
  const late = /^ *const (\{ [^}]+ \}) = await import\(("@smithy\/core\/event-streams")\);$/m.exec(source);
  return late ? `import ${late[1]} from ${late[2]};\n${source.replace(late[0], '')}` : source;
};

/**
 * Skips the logging of calls for a client without a logger. The SDK copies every input and output for it, to leave out
 * sensitive fields: a tenth of the CPU of a call, more with every item of a page.
 */
const withoutIdleLogging = (middleware: string): string =>
  middleware.replace(
    /^(export const loggerMiddleware = \(\) => \(next, context\) =>) (async \(args\) => \{)$/m,
    `import { NoOpLogger } from '@smithy/core/client';
$1 !context.logger || context.logger instanceof NoOpLogger ? next : $2`,
  );

/**
 * Leaves out the signer for endpoints in several regions, which no function has. The client then signs with the signer of
 * the other clients.
 */
const withoutMultiRegion = (source: string): string =>
  source
    .replace(/^import \{ SignatureV4MultiRegion \} from "[^"]+";$/m, '')
    .replace('config?.signerConstructor ?? SignatureV4MultiRegion', 'config?.signerConstructor')
    .replace('SignatureV4MultiRegion.sigv4aDependency() === "none" && sigv4Present', 'sigv4Present');

/**
 * Leaves out the regions that the pattern of their partition finds too, and all names for people. Regions without a number,
 * such as `aws-global`, stay.
 */
const withoutRegions = (partitions: string): string =>
  partitions
    .replace(/^ +"[a-z]+(?:-[a-z]+)+-\d+": \{\s*"description": "[^"]*"\s*\},?$/gm, '')
    .replace(/"description": "[^"]*"/g, '');

const manifestSchema = z.object({ version: z.string().min(1) });

/** Keeps the version of a client's package.json, which is part of the user agent. */
const versionOf = (manifest: string): string => {
  const { success, data } = manifestSchema.safeParse(JSON.parse(manifest));
  return success ? JSON.stringify(data) : manifest;
};

const COPIES = 'the AWS SDK no longer copies its configuration for every call';
const LATE_BUILTINS = 'the AWS SDK no longer imports modules of Node late';

const EDITS: readonly Edit[] = [
  {
    file: /[\\/]@aws-sdk[\\/]client-[^\\/]+[\\/]dist-es[\\/]schemas[\\/]schemas_0\.js$/,
    change: leanSchemas,
    failure: 'the AWS SDK no longer writes keys of schemas as constants',
  },
  {
    file: /[\\/]@aws-sdk[\\/]client-(?:dynamodb|eventbridge|secrets-manager)[\\/]dist-es[\\/]models[\\/]errors\.js$/,
    change: withoutErrors,
    failure: 'the AWS SDK no longer has a class for each error',
  },
  {
    file: /[\\/]middleware-retry[\\/]retryMiddleware\.js$/,
    change: withoutSpareError,
    failure: 'the AWS SDK no longer creates an error for every call',
  },
  { file: /[\\/]schemaDeserializationMiddleware\.js$/, change: withoutCopies, failure: COPIES },
  { file: /[\\/]schemaSerializationMiddleware\.js$/, change: withoutCopies, failure: COPIES },
  { file: /[\\/]dist-es[\\/]node-http-handler\.js$/, change: withBuiltinsAtOnce, failure: LATE_BUILTINS },
  { file: /[\\/]dist-es[\\/]invoke-store\.js$/, change: withBuiltinsAtOnce, failure: LATE_BUILTINS },
  {
    file: /[\\/]protocols[\\/]HttpProtocol\.js$/,
    change: withEventStreamsAtOnce,
    failure: 'the AWS SDK no longer imports event streams late',
  },
  {
    file: /[\\/]middleware-logger[\\/]loggerMiddleware\.js$/,
    change: withoutIdleLogging,
    failure: 'the AWS SDK no longer logs calls by one middleware',
  },
  {
    file: /[\\/]util-endpoints[\\/]lib[\\/]aws[\\/]partitions\.js$/,
    change: withoutRegions,
    failure: 'the AWS SDK no longer lists regions with descriptions',
  },
  {
    file: /[\\/]@aws-sdk[\\/]client-[^\\/]+[\\/]package\.json$/,
    change: versionOf,
    failure: 'the AWS SDK no longer has its version in its package.json',
    loader: 'json',
  },
];

/** Edits of the clients of functions that put events on the bus. */
const BUS_EDITS: readonly Edit[] = [
  {
    file: /[\\/]client-(?:eventbridge|sesv2)[\\/]dist-es[\\/](?:runtimeConfig\.shared|auth[\\/]httpAuthSchemeProvider)\.js$/,
    change: withoutMultiRegion,
    failure: 'the AWS SDK no longer has a signer for several regions',
  },
];

const DYNAMODB = /^@aws-sdk\/client-dynamodb$/;
const BUS = /^@aws-sdk\/client-eventbridge$/;

/**
 * Takes parts out of the AWS SDK that a Lambda function never uses. The build fails if a replaced part is not found any
 * more, so a new layout of the SDK does not grow the bundles unnoticed.
 */
export const leanSdk: Plugin = {
  name: 'lean-sdk',
  setup(build) {
    const missing = new Set(REPLACED);
    let dynamodbIsUsed = false;
    for (const replaced of REPLACED) {
      build.onResolve({ filter: replaced.specifier }, ({ importer }) => {
        if (replaced.importer && !replaced.importer.test(importer)) return undefined;
        missing.delete(replaced);
        return { path: STAND_INS, sideEffects: false };
      });
    }
    build.onResolve({ filter: DYNAMODB }, () => {
      dynamodbIsUsed = true;
      return undefined;
    });
    applyEdits(build, DYNAMODB, EDITS);
    applyEdits(build, BUS, BUS_EDITS);
    build.onEnd(() => ({
      errors: dynamodbIsUsed
        ? [...missing].map(({ specifier }) => ({ text: `the AWS SDK no longer imports ${specifier.source}` }))
        : [],
    }));
  },
};
