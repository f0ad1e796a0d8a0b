import { fileURLToPath } from 'node:url';
import type { OnResolveArgs, Plugin } from 'esbuild';

interface Replacement {
  /** What the SDK's module specifier looks like. */
  readonly specifier: RegExp;
  /** Which of the importers is meant, where the specifier alone does not say. */
  readonly importer?: RegExp;
  readonly by: string;
}

const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const REPLACEMENTS: readonly Replacement[] = [
  { specifier: /^@aws-sdk\/credential-provider-node$/, by: beside('environment-credentials.ts') },
  { specifier: /^@smithy\/core\/event-streams$/, by: beside('no-event-streams.ts') },
  {
    specifier: /\/shared-ini-file-loader\/loadSharedConfigFiles$/,
    importer: /[\\/]node-config-provider[\\/]fromSharedConfigFiles\.js$/,
    by: beside('environment-config.ts'),
  },
];

/**
 * Replaces the parts of the AWS SDK that a Lambda function never uses. An SDK that is laid out anew
 * fails the build instead of quietly growing the bundles.
 */
export const leanSdk: Plugin = {
  name: 'lean-sdk',
  setup(build) {
    const missing = new Set(REPLACEMENTS);
    let sdkIsUsed = false;
    for (const replacement of REPLACEMENTS) {
      const { specifier, importer, by } = replacement;
      build.onResolve({ filter: specifier }, (args: OnResolveArgs) => {
        if (importer && !importer.test(args.importer)) return undefined;
        missing.delete(replacement);
        return { path: by };
      });
    }
    build.onResolve({ filter: /^@aws-sdk\/client-/ }, () => {
      sdkIsUsed = true;
      return undefined;
    });
    build.onEnd(() => ({
      errors: sdkIsUsed
        ? [...missing].map(({ specifier }) => ({ text: `the AWS SDK no longer imports ${specifier.source}` }))
        : [],
    }));
  },
};
