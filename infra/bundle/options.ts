import type { BuildOptions } from 'esbuild';
import { lazyBuiltins } from './lazy-builtins.ts';
import { leanSdk } from './lean-sdk.ts';
import { phoneMetadata } from './phone-metadata.ts';

/**
 * How every function is bundled. It is about cold starts: the dependencies' ESM builds, which can be
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
  plugins: [leanSdk, lazyBuiltins, phoneMetadata],
  logLevel: 'warning',
} as const satisfies BuildOptions;
