import type { Plugin } from 'esbuild';

const NAMESPACE = 'zod-without';
const MODULE = 'to-json-schema.js';
const NAMES = [
  'initializeContext',
  'handleUnrepresentable',
  'process',
  'processSchema',
  'extractDefs',
  'finalize',
  'createToJSONSchemaMethod',
  'createStandardJSONSchemaMethod',
];
const CONTENTS = `
  const leftOut = () => { throw new Error('the bundle has no writer of JSON Schemas'); };
  export { ${NAMES.map((name) => `leftOut as ${name}`).join(', ')} };`;

/**
 * Leaves the writer of JSON Schemas out of Zod: 2 % of the code that every function loads at its start. The pages of the
 * operations are written when the bundles are built. A use of it fails. The build fails if Zod no longer imports it.
 */
export const leanZod: Plugin = {
  name: 'lean-zod',
  setup(build) {
    let [isUsed, isReplaced] = [false, false];
    build.onResolve({ filter: /^zod$/ }, () => {
      isUsed = true;
      return undefined;
    });
    build.onResolve({ filter: /[/]to-json-schema\.js$/ }, ({ importer }) => {
      if (!/[/]node_modules[/]zod[/]v4[/]/.test(importer)) return undefined;
      isReplaced = true;
      return { path: MODULE, namespace: NAMESPACE, sideEffects: false };
    });
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, () => ({ contents: CONTENTS }));
    build.onEnd(() => ({
      errors: isUsed && !isReplaced ? [{ text: `zod no longer imports ${MODULE}` }] : [],
    }));
  },
};
