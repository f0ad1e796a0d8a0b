import type { Plugin } from 'esbuild';

const CHAIN = '@aws-sdk/credential-provider-node';
const NAMESPACE = 'credentials-of-lambda';

/**
 * Replaces the credential chain of the AWS SDK by its provider of the environment, where Lambda puts the credentials of
 * a role. The profiles, SSO, web identities and metadata service of the chain are a fifth of a client's code. The build
 * fails if a client no longer imports the chain.
 */
export const leanSdk: Plugin = {
  name: 'lean-sdk',
  setup(build) {
    let isReplaced = false;
    let isUsed = false;
    build.onResolve({ filter: /^@aws-sdk\/client-/ }, () => {
      isUsed = true;
      return undefined;
    });
    build.onResolve({ filter: new RegExp(`^${CHAIN}$`) }, ({ resolveDir }) => {
      isReplaced = true;
      return { path: CHAIN, namespace: NAMESPACE, pluginData: resolveDir, sideEffects: false };
    });
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ pluginData: resolveDir }) => ({
      contents: `export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';`,
      resolveDir,
    }));
    build.onEnd(() => ({
      errors: isUsed && !isReplaced ? [{ text: `the AWS SDK no longer imports ${CHAIN}` }] : [],
    }));
  },
};
