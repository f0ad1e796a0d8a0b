import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

const STAND_INS = fileURLToPath(new URL('./sdk-stand-ins.ts', import.meta.url));

interface Replaced {
  readonly specifier: RegExp;
  /** The importing file, for a relative specifier. */
  readonly importer?: RegExp;
  /** A stand-in that is imported late is a module of its own, which then stays apart in the bundle. */
  readonly by?: string;
}

/** The modules of the SDK whose place is taken. */
const REPLACED: readonly Replaced[] = [
  { specifier: /^@aws-sdk\/credential-provider-node$/ },
  { specifier: /^@aws-sdk\/endpoint-cache$/ },
  {
    specifier: /^@smithy\/core\/event-streams$/,
    by: fileURLToPath(new URL('./event-stream-stand-ins.ts', import.meta.url)),
  },
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
  { specifier: /\/middleware-logger\/loggerMiddleware$/ },
  { specifier: /\/util-body-length\/calculateBodyLength$/ },
  { specifier: /\/stream-collector$/ },
];

/**
 * A client's schemas key their traits by constants (`{ [_h]: … }`). esbuild takes a computed key for a
 * side effect and keeps the schemas of every operation of the service; a literal one lets it drop them.
 */
export const withLiteralKeys = (schemas: string): string => {
  const constants = new Map<string, string>();
  for (const [, name = '', text = ''] of schemas.matchAll(/^const (_\w+) = ("[^"]*");$/gm)) {
    constants.set(name, text);
  }
  return schemas.replace(/\[(_\w+)\]: /g, (key, name: string) => {
    const text = constants.get(name);
    return text === undefined ? key : `${text}: `;
  });
};

/**
 * Every call makes an error, with its stack, for the case that something fails; where something does, another
 * takes its place.
 */
const withoutSpareError = (middleware: string): string => {
  const lean = middleware.replace('let lastError = new Error();', 'let lastError;');
  if (lean === middleware) throw new Error('the AWS SDK no longer makes an error for every call');
  return lean;
};

/**
 * To write a request and to read its answer, every call copies the client's whole configuration, some sixty
 * fields, to lay those of the call over it. Here they lie over the configuration itself, which nobody lists.
 */
const withoutCopies = (middleware: string): string => {
  const lean = middleware.replace(
    /\{\s*\.\.\.config,\s*\.\.\.context,\s*(endpoint,)?\s*\}/,
    (_, endpoint = '') => `Object.assign(Object.create(config), context, { ${endpoint} })`,
  );
  if (lean === middleware) throw new Error('the AWS SDK no longer copies its configuration for every call');
  return lean;
};

/**
 * Node's modules are there at once, and what is imported late would be a file of the bundle, though it holds
 * but the name of one of them.
 */
const withBuiltinsAtOnce = (source: string): string => {
  const lean = source.replace(/await import\((["']node:\w+["'])\)/g, 'process.getBuiltinModule($1)');
  if (lean === source) throw new Error('the AWS SDK no longer imports modules of Node late');
  return lean;
};

/** Of its package.json a client uses the version, for the user agent. */
const versionOf = (manifest: string): string => {
  const { version }: { version: string } = JSON.parse(manifest);
  return JSON.stringify({ version });
};

/**
 * Takes out of the AWS SDK what a Lambda function never uses. An SDK that is laid out anew fails the
 * build instead of quietly growing the bundles.
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
        return { path: replaced.by ?? STAND_INS, sideEffects: false };
      });
    }
    build.onResolve({ filter: /^@aws-sdk\/client-dynamodb$/ }, () => {
      dynamodbIsUsed = true;
      return undefined;
    });
    build.onLoad({ filter: /[\\/]@aws-sdk[\\/]client-.*[\\/]schemas_0\.js$/ }, async ({ path }) => ({
      contents: withLiteralKeys(await readFile(path, 'utf8')),
    }));
    build.onLoad({ filter: /[\\/]middleware-retry[\\/]retryMiddleware\.js$/ }, async ({ path }) => ({
      contents: withoutSpareError(await readFile(path, 'utf8')),
    }));
    build.onLoad({ filter: /[\\/]schema(Des|S)erializationMiddleware\.js$/ }, async ({ path }) => ({
      contents: withoutCopies(await readFile(path, 'utf8')),
    }));
    build.onLoad({ filter: /[\\/]dist-es[\\/](node-http-handler|invoke-store)\.js$/ }, async ({ path }) => ({
      contents: withBuiltinsAtOnce(await readFile(path, 'utf8')),
    }));
    build.onLoad({ filter: /[\\/]@aws-sdk[\\/]client-[^\\/]+[\\/]package\.json$/ }, async ({ path }) => ({
      contents: versionOf(await readFile(path, 'utf8')),
      loader: 'json',
    }));
    build.onEnd(() => ({
      errors: dynamodbIsUsed
        ? [...missing].map(({ specifier }) => ({ text: `the AWS SDK no longer imports ${specifier.source}` }))
        : [],
    }));
  },
};
