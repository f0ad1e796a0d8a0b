import type { Plugin } from 'esbuild';

const SHIMS = '@modelcontextprotocol/server/_shims';
const NAMESPACE = 'mcp-without';
const CONTENTS = `
  export { default as process } from 'node:process';
  export class DefaultJsonSchemaValidator {
    getValidator() { throw new Error('the bundle has no validator of JSON Schemas'); }
  }`;

/**
 * Leaves Ajv out of the server of assistants: a fifth of its code. It validates forms that a server sends to people, and the
 * hub sends none; the operations validate the arguments of tools. A use of it fails. The build fails if the server no longer
 * imports it.
 */
export const leanMcp: Plugin = {
  name: 'lean-mcp',
  setup(build) {
    let [isUsed, isReplaced] = [false, false];
    build.onResolve({ filter: /^@modelcontextprotocol\/server$/ }, () => {
      isUsed = true;
      return undefined;
    });
    build.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => {
      isReplaced = true;
      return { path: SHIMS, namespace: NAMESPACE, sideEffects: false };
    });
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, () => ({ contents: CONTENTS }));
    build.onEnd(() => ({
      errors: isUsed && !isReplaced ? [{ text: `the server of assistants no longer imports ${SHIMS}` }] : [],
    }));
  },
};
