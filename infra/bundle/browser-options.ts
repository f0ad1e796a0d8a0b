import type { BuildOptions } from 'esbuild';
import { ROOT } from './built.ts';

/** Options by which scripts of the console are bundled. */
export const BROWSER_OPTIONS = {
  absWorkingDir: ROOT,
  write: false,
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: ['chrome111', 'firefox114', 'safari16.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'warning',
} satisfies BuildOptions;
