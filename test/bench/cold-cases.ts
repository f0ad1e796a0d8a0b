import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import * as z from 'zod';
import { FUNCTIONS } from '../../functions/manifest.ts';
import type { Bundle } from '../../infra/bundle/built.ts';
import { CONTEXT } from '../support/hub.ts';
import { FIRST_REQUESTS } from './first-requests.ts';
import { OUT_DIR } from './result.ts';
import { gatewayEvent, type Rig } from './rig.ts';

const run = promisify(execFile);

/** A cold start to measure. */
export interface Case {
  readonly name: string;
  readonly file: string;
  /** Maximum size of the code loaded by the first request. */
  readonly bytes: number;
  readonly status: number;
  readonly event: unknown;
  readonly environment: Readonly<Record<string, string>>;
}

const sample = z.object({ statusCode: z.int(), importMs: z.number(), requestMs: z.number() });

/** A measured cold start; the instructions of the whole process in user mode, if they were counted. */
export type Sample = z.output<typeof sample> & { readonly instructions?: number };

const PERF = ['perf', 'stat', '-x,', '-e', 'instructions:u'];

const instructionsIn = (report: string): number => {
  const count = /^(\d+),[^\n]*instructions/m.exec(report)?.[1];
  if (count === undefined) throw new Error(`perf counts no instructions here: ${report}`);
  return Number(count);
};

/**
 * Measures one cold start in a new process.
 *
 * @param isCounted counts instructions too; needs `perf`
 */
export const measure = async (script: string, one: Case, isCounted = false): Promise<Sample> => {
  const context = JSON.stringify(CONTEXT);
  const start = [process.execPath, script, pathToFileURL(one.file).href, JSON.stringify(one.event), context];
  const [command = '', ...args] = isCounted ? [...PERF, ...start] : start;
  const { stdout, stderr } = await run(command, args, {
    env: { ...one.environment, PATH: process.env.PATH },
  });
  const measured = sample.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
  if (measured.statusCode === one.status) {
    return isCounted ? { ...measured, instructions: instructionsIn(stderr) } : measured;
  }
  throw new Error(`${one.name} answered ${measured.statusCode} instead of ${one.status}: ${stdout}`);
};

/** Bundles the measuring program, so that compiling TypeScript is not part of a start. */
export const bundleStart = async (): Promise<string> => {
  const outfile = join(OUT_DIR, 'cold-start.mjs');
  const entryPoints = [join(import.meta.dirname, 'cold-start.ts')];
  await build({ entryPoints, outfile, bundle: true, minify: true, platform: 'node', format: 'esm' });
  return outfile;
};

/** Returns the first requests of all HTTP functions, one case each. */
export const functionCases = (rig: Rig, bundles: ReadonlyMap<string, Bundle>): Case[] => {
  const unasked = FUNCTIONS.filter(
    ({ name, trigger }) =>
      trigger.kind === 'http' && !FIRST_REQUESTS.some(({ functionName }) => functionName === name),
  );
  if (unasked.length > 0) {
    const names = unasked.map(({ name }) => name).join(', ');
    throw new Error(`test/bench/first-requests.ts has no first request for the functions ${names}`);
  }
  return FIRST_REQUESTS.map(({ functionName, routeKey, request, status }) => ({
    name: `${functionName} ${routeKey}`,
    file: bundles.get(functionName)?.file ?? '',
    bytes: bundles.get(functionName)?.bytes ?? 0,
    status,
    event: gatewayEvent(routeKey, request),
    environment: rig.environmentOf(functionName),
  }));
};

/** Returns the CPU time of each sample in ms, import and first request together. */
export const totals = (taken: readonly Sample[]): number[] =>
  taken.map((one) => one.importMs + one.requestMs);
