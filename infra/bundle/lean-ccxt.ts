import type { Plugin } from 'esbuild';

const NAMESPACE = 'ccxt-without';

/** Modules that the base class of ccxt imports for other exchanges, for streams and for its own transport. */
const REPLACED: readonly (readonly [module: string, imported: RegExp])[] = [
  ['undici', /^undici$/],
  ['streams', /[/]ws[/](WsClient|OrderBook)\.js$/],
  ['zklink', /[/]zklink-sdk-web\.js$/],
  ['dydx', /[/]dydx-v4-client[/]/],
  ['starknet', /^@scure[/]starknet$|[/]functions[/]starknet\.js$/],
  ['mexc', /[/]mexc[/]compiled\.cjs$/],
];

/**
 * Leaves out what Binance's spot market does not need of ccxt: two thirds of its code, and a package that ccxt does not
 * install. A use of it fails. The build fails if ccxt no longer imports a module.
 */
export const leanCcxt: Plugin = {
  name: 'lean-ccxt',
  setup(build) {
    const missing = new Set(REPLACED.map(([module]) => module));
    let isUsed = false;
    build.onResolve({ filter: /[/]ccxt[/]js[/]src[/]binance\.js$/ }, () => {
      isUsed = true;
      return undefined;
    });
    for (const [module, imported] of REPLACED) {
      build.onResolve({ filter: imported }, ({ importer }) => {
        if (!/[/]node_modules[/]ccxt[/]js[/]/.test(importer)) return undefined;
        missing.delete(module);
        return { path: module, namespace: NAMESPACE, sideEffects: false };
      });
    }
    // A CommonJS module, as esbuild asks it for no names.
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, () => ({ contents: 'module.exports = {};' }));
    build.onEnd(() => ({
      errors: isUsed ? [...missing].map((module) => ({ text: `ccxt no longer imports ${module}` })) : [],
    }));
  },
};
