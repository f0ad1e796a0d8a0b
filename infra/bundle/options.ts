import type { BuildOptions } from 'esbuild';
import { earlyImports } from './early-imports.ts';
import { lazyBuiltins } from './lazy-builtins.ts';
import { leanCcxt } from './lean-ccxt.ts';
import { leanMcp } from './lean-mcp.ts';
import { leanSdk } from './lean-sdk.ts';
import { leanZod } from './lean-zod.ts';

/**
 * Options for bundles with short cold starts. They use the ESM builds of dependencies, from which esbuild can remove
 * unused code, and plugins for late imports, Node's modules and the configuration of the AWS SDK. The code is ASCII, as
 * one other character doubles the memory of a file: V8 then stores each of its characters in two bytes.
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
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [earlyImports, lazyBuiltins, leanSdk, leanCcxt, leanMcp, leanZod],
  logLevel: 'warning',
} as const satisfies BuildOptions;
