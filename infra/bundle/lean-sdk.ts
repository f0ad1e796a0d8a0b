import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

const NAMESPACE = 'sdk-on-lambda';

/** Modules of the AWS SDK that find nothing on Lambda or have no use, and their replacements. */
const REPLACED = [
  {
    // Lambda puts the credentials of a role into the environment. The chain's profiles, SSO, web identities and metadata
    // service are a fifth of a client's code.
    module: '@aws-sdk/credential-provider-node',
    imported: /^@aws-sdk\/credential-provider-node$/,
    contents: `export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';`,
  },
  {
    // There are no files ~/.aws/config and ~/.aws/credentials. Looking for them takes 2 ms of a cold start.
    module: 'loadSharedConfigFiles',
    imported: /[/]loadSharedConfigFiles$/,
    contents: `
      export const CONFIG_PREFIX_SEPARATOR = '.';
      export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });`,
  },
  {
    // No operation of the hub has a stream of events.
    module: '@smithy/core/event-streams',
    imported: /^@smithy\/core\/event-streams$/,
    contents: `
      export const eventStreamSerdeProvider = undefined;
      export class EventStreamSerde {
        constructor() { throw new Error('the bundle reads no streams of events'); }
      }`,
  },
] as const;

/**
 * Replaces the parts of the AWS SDK that look for configuration outside of the environment, and those without a use. The
 * build fails if a client no longer imports them.
 */
export const leanSdk: Plugin = {
  name: 'lean-sdk',
  setup(build) {
    const missing = new Set<string>(REPLACED.map(({ module }) => module));
    let isUsed = false;
    build.onResolve({ filter: /^@aws-sdk\/client-/ }, () => {
      isUsed = true;
      return undefined;
    });
    for (const { module, imported, contents } of REPLACED) {
      build.onResolve({ filter: imported }, ({ resolveDir }) => {
        missing.delete(module);
        return {
          path: module,
          namespace: NAMESPACE,
          pluginData: { contents, resolveDir },
          sideEffects: false,
        };
      });
    }
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ pluginData }) => pluginData);
    // A client names its version in its requests, and reads it from its whole manifest.
    build.onLoad({ filter: /[\\/]@aws-sdk[\\/]client-[\w-]+[\\/]package[.]json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
    build.onEnd(() => ({
      errors: isUsed
        ? [...missing].map((module) => ({ text: `the AWS SDK no longer imports ${module}` }))
        : [],
    }));
  },
};
