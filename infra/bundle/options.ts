import type { BuildOptions } from 'esbuild';
import { lazyBuiltins } from './lazy-builtins.ts';
import { leanErrors } from './lean-errors.ts';
import { leanPhone } from './lean-phone.ts';
import { leanSdk, withLiteralKeys } from './lean-sdk.ts';
import { leanZod } from './lean-zod.ts';

/**
 * Bundles every function for short cold starts: the dependencies' ESM builds, which can be
 * shaken, and the AWS SDK, Node's modules and the phone metadata reduced to what a function uses.
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
  plugins: [lazyBuiltins, leanErrors(withLiteralKeys), leanSdk, leanZod, leanPhone],
  logLevel: 'warning',
} as const satisfies BuildOptions;
