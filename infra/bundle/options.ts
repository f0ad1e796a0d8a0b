import type { BuildOptions } from 'esbuild';
import { earlyImports } from './early-imports.ts';
import { lazyBuiltins } from './lazy-builtins.ts';
import { leanPhone } from './lean-phone.ts';
import { leanSdk } from './lean-sdk.ts';
import { leanZod } from './lean-zod.ts';

/**
 * Options for bundles with short cold starts. They use the ESM builds of dependencies, from which esbuild can remove
 * unused code, and plugins that reduce the AWS SDK, Zod, phone metadata, late imports and the loading of Node's modules.
 */
export const BUNDLE_OPTIONS = {
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  charset: 'utf8',
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [earlyImports, lazyBuiltins, leanSdk, leanZod, leanPhone],
  logLevel: 'warning',
} as const satisfies BuildOptions;
